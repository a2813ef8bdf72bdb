internal import FoundationEssentials

extension PropertyList {
    /// The largest file in bytes.
    package static let limit = 4 << 20
    /// The deepest nesting and the most values that are accepted; an Info.plist has a fraction of either.
    static let valueLimit = 50_000
    private static let depthLimit = 64

    /// Throws if a file has more than that before one of its bytes.
    static func checkLimits(depth: Int, values: Int, at byte: Int) throws(PropertyListError) {
        if depth > depthLimit { throw .at(byte, "expected at most \(depthLimit) levels, found more") }
        if values > valueLimit { throw .at(byte, "expected at most \(valueLimit) values, found more") }
    }

    /// Parses an XML or binary property list.
    ///
    /// FoundationEssentials decodes the values of both. Its decoder overflows the stack on deeply nested lists, and
    /// does not terminate on binary lists that contain themselves, so the outline is checked first, in bounds, which
    /// also gives the place of an error.
    package init(parsing bytes: [UInt8], file: String) throws(PropertyListError) {
        do throws(PropertyListError) {
            guard bytes.count <= Self.limit else {
                throw PropertyListError(place: .file, message: "expected at most \(Self.limit >> 20) MiB, found more")
            }
            if bytes.starts(with: BinaryOutline.mark) {
                _ = try BinaryOutline(checking: bytes)
            } else {
                _ = try XMLOutline(checking: bytes)
            }
        } catch {
            throw PropertyListError(file: file, place: error.place, message: error.message)
        }
        do {
            self = try PropertyListDecoder().decode(PropertyList.self, from: Data(bytes))
        } catch {
            throw PropertyListError(file: file, message: "expected a property list: \(Self.words(of: error))")
        }
    }

    /// The decoder's error, on one line.
    private static func words(of error: any Error) -> String {
        var words = "its values cannot be read"
        if case DecodingError.dataCorrupted(let context) = error {
            let detail = unsafe (context.underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
            words = detail ?? context.debugDescription
        }
        return String(words.unicodeScalars.prefix(160).map { $0.value < 0x20 ? " " : Character($0) })
    }
}
