import Foundation

/// Prints a line at once, even if the output is a file.
func line(_ words: Any...) {
    let text = words.map { "\($0)" }.joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(text.utf8))
}
