internal import CZstd
internal import DriverKit
internal import Linux

/// libzstd, opened at first use, for descriptions that an iiod of libiio 1.x compresses.
@safe
struct LibZstd {
    private static let name = "libzstd.so.1"

    private let size: opened_ZSTD_getFrameContentSize
    private let decompress: opened_ZSTD_decompress
    private let isError: opened_ZSTD_isError

    /// Opens the library; `unsupported` if it is missing.
    init() throws(DriverError) {
        let library = try DynamicLibrary(Self.name)
        unsafe size = try unsafe library.function("ZSTD_getFrameContentSize")
        unsafe decompress = try unsafe library.function("ZSTD_decompress")
        isError = try unsafe library.function("ZSTD_isError")
    }

    /// Whether bytes begin as a compressed frame does.
    ///
    /// Source: RFC 8878, 3.1.1.
    static func isFrame(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) }

    /// The contents of a frame, which must state their length, of at most `limit` bytes; `malformed` otherwise.
    func expanded(_ bytes: [UInt8], limit: Int) throws(DriverError) -> [UInt8] {
        let length = unsafe bytes.withUnsafeBytes { unsafe size($0.baseAddress, $0.count) }
        // The two greatest numbers mean that it is unknown, or no frame.
        guard length <= UInt64(limit) else {
            throw DriverError(.malformed, subject: Self.name, detail: "a compressed description of an unusable length")
        }
        var written = 0
        let contents = unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            written = unsafe bytes.withUnsafeBytes {
                unsafe decompress(buffer.baseAddress, buffer.count, $0.baseAddress, $0.count)
            }
            count = isError(written) == 0 ? min(max(written, 0), buffer.count) : 0
        }
        guard isError(written) == 0, contents.count == Int(length) else {
            throw DriverError(.malformed, subject: Self.name, detail: "a compressed description that is damaged")
        }
        return contents
    }
}
