/// Returns the candidate nearest to `word`; nil if none is near.
///
/// Near is an edit distance (insertion, deletion, replacement, transposition) of at most a third of the word's length
/// and at most three, ignoring case; the first of equals is returned. Words over 64 bytes have no suggestion.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(word.lowercased().utf8.prefix(65))
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    let limit = min(3, max(1, typed.count / 3))
    var best: (name: String, distance: Int)?
    for candidate in candidates {
        let letters = Array(candidate.lowercased().utf8)
        guard abs(letters.count - typed.count) <= limit else { continue }
        let distance = editDistance(typed, letters)
        // A word of which every letter changes is not near.
        if distance <= limit, distance < typed.count, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// Optimal string alignment distance, in three rows.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in 0..<left.count {
        var line = [row + 1]
        for column in 0..<right.count {
            let replaced = above[column] + (left[row] == right[column] ? 0 : 1)
            var least = min(replaced, above[column + 1] + 1, line[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                least = min(least, before[column - 1] + 1)
            }
            line.append(least)
        }
        before = above
        above = line
    }
    return above[right.count]
}
