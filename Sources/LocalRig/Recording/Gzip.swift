internal import CZlib

/// The gzip format (RFC 1952), one whole file at a time.
enum Gzip {
    /// Why bytes are not a gzip file.
    struct GzipError: Error {
        var message: String
    }

    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

    /// The content of a file of one or more members; throws if it exceeds `limit` bytes, which a few kilobytes can
    /// expand to.
    static func inflated(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe zlib_begin_inflate(&stream) == Z_OK else { throw GzipError(message: "zlib could not begin") }
        defer { unsafe inflateEnd(&stream) }
        var content: [UInt8] = []
        var offset = 0
        while true {
            var outcome = Z_OK
            let chunk = unsafe step(&stream, bytes, from: &offset) { stream in
                outcome = unsafe inflate(&stream, Z_NO_FLUSH)
            }
            guard content.count + chunk.count <= limit else {
                throw GzipError(message: "larger than \(limit >> 20) MiB when unpacked")
            }
            content += chunk
            switch outcome {
            case Z_STREAM_END where offset == bytes.count: return content
            case Z_STREAM_END: unsafe inflateReset(&stream)
            case Z_OK where offset < bytes.count || !chunk.isEmpty: continue
            case Z_OK, Z_BUF_ERROR: throw GzipError(message: "a truncated gzip file")
            default: throw GzipError(message: "a damaged gzip file")
            }
        }
    }

    static func deflated(_ content: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        // Fails only for lack of memory, of which an array takes more.
        guard unsafe zlib_begin_deflate(&stream) == Z_OK else { return [] }
        defer { unsafe deflateEnd(&stream) }
        var bytes: [UInt8] = []
        var offset = 0
        var outcome = Z_OK
        while outcome == Z_OK {
            bytes += unsafe step(&stream, content, from: &offset) { stream in
                outcome = unsafe deflate(&stream, Z_FINISH)
            }
        }
        return bytes
    }

    /// Calls zlib once for the remaining input; returns the bytes that it produced.
    private static func step(
        _ stream: inout z_stream, _ input: [UInt8], from offset: inout Int, _ call: (inout z_stream) -> Void
    ) -> [UInt8] {
        let room = 256 << 10
        return unsafe input.withUnsafeBufferPointer { source in
            unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
                let left = min(source.count - offset, Int(CUnsignedInt.max))
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress?.advanced(by: offset))
                unsafe stream.avail_in = CUnsignedInt(left)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = CUnsignedInt(room)
                unsafe call(&stream)
                offset += unsafe left - Int(stream.avail_in)
                count = unsafe room - Int(stream.avail_out)
            }
        }
    }
}
