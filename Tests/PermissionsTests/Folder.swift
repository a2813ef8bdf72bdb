import Glibc
import SystemPackage
import Testing

/// Passes a temporary folder to the body, which is removed afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/rigready-grants-XXXXXX".utf8CString)
    let folder = try #require(
        unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
        })
    defer { removeAll(folder) }
    try body(folder)
}

private func removeAll(_ path: String) {
    if kind(path) == S_IFDIR { entries(of: path).forEach { removeAll(path + "/" + $0) } }
    _ = kind(path) == S_IFDIR ? unsafe rmdir(path) : unsafe unlink(path)
}

/// The names in a folder.
func entries(of folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        names.append(
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            })
    }
    return names.filter { $0 != "." && $0 != ".." }
}

/// The file type at a path, as the S_IF bits of its mode; nil if there is none.
func kind(_ path: String) -> mode_t? {
    var record = stat()
    return unsafe lstat(path, &record) == 0 ? record.st_mode & S_IFMT : nil
}

/// The permission bits at a path; nil if there is no file.
func mode(_ path: String) -> mode_t? {
    var record = stat()
    return unsafe lstat(path, &record) == 0 ? record.st_mode & 0o7777 : nil
}

/// Writes a file.
func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
    let file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .init(rawValue: mode))
    try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
}

/// The contents of a file.
func text(of path: String) throws -> String {
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    return try file.closeAfter {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
