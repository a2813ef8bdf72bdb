internal import DriverKit
internal import Glibc
internal import SystemPackage

/// libkmod, opened at first use, so that a board without it can still be probed.
///
/// Its header is not needed: every handle is opaque, and the prototypes are those of `libkmod.h` since version 1.
@safe
final class KMod {
    private typealias Handle = OpaquePointer
    private typealias New = @convention(c) (UnsafePointer<CChar>?, UnsafePointer<UnsafePointer<CChar>?>?) -> Handle?
    private typealias Release = @convention(c) (Handle?) -> Handle?
    private typealias ReleaseList = @convention(c) (Handle?) -> CInt
    private typealias SetPriority = @convention(c) (Handle?, CInt) -> Void
    private typealias Lookup = @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafeMutablePointer<Handle?>?) -> CInt
    private typealias Next = @convention(c) (Handle?, Handle?) -> Handle?
    private typealias Take = @convention(c) (Handle?) -> Handle?
    private typealias Text = @convention(c) (Handle?) -> UnsafePointer<CChar>?

    private let context: Handle
    private let unref: Release
    private let unrefModule: Release
    private let unrefList: ReleaseList
    private let lookup: Lookup
    private let next: Next
    private let module: Take
    private let path: Text
    private let name: Text
    private let folder: Text

    /// Opens the library and the running kernel's modules folder, or another one; `unsupported` if it is missing.
    init(folder root: String? = nil) throws(DriverError) {
        let library = try DynamicLibrary("libkmod.so.2")
        let new: New = try unsafe library.function("kmod_new")
        let setPriority: SetPriority = try unsafe library.function("kmod_set_log_priority")
        unsafe unref = try unsafe library.function("kmod_unref")
        unsafe unrefModule = try unsafe library.function("kmod_module_unref")
        unsafe unrefList = try unsafe library.function("kmod_module_unref_list")
        unsafe lookup = try unsafe library.function("kmod_module_new_from_lookup")
        unsafe next = try unsafe library.function("kmod_list_next")
        unsafe module = try unsafe library.function("kmod_module_get_module")
        unsafe path = try unsafe library.function("kmod_module_get_path")
        unsafe name = try unsafe library.function("kmod_module_get_name")
        unsafe folder = try unsafe library.function("kmod_get_dirname")
        guard let context = unsafe Self.open(new, root) else {
            throw DriverError(.unsupported, errno: .current, subject: "libkmod.so.2")
        }
        unsafe self.context = context
        // It would write to the command's standard error.
        unsafe setPriority(context, -1)
    }

    private static func open(_ new: New, _ root: String?) -> Handle? {
        guard let root else { return unsafe new(nil, nil) }
        return unsafe root.withCString { unsafe new($0, nil) }
    }

    deinit { _ = unsafe unref(context) }

    /// The modules for an alias; empty if none is known, `unsupported` without an index.
    func modules(for alias: String) throws(DriverError) -> [String] {
        let root = unsafe folder(context).map { unsafe String(cString: $0) } ?? ""
        // libkmod treats a missing index as an empty one.
        let index = root + "/modules.alias.bin"
        guard unsafe access(index, R_OK) == 0 else {
            let failure = Errno.current
            throw DriverError(.unsupported, errno: failure, subject: index, detail: "no module index (\(failure.name))")
        }
        var list: Handle?
        let status = unsafe lookup(context, alias, &list)
        // A string that is too long for an alias is in no index.
        guard status >= 0 || Errno(rawValue: -status) == .invalidArgument else {
            throw DriverError(errno: Errno(rawValue: -status), subject: index)
        }
        guard status >= 0, let first = unsafe list else { return [] }
        defer { _ = unsafe unrefList(first) }
        var builtin: [String]?
        var found: [String] = []
        var entry = unsafe Optional(first)
        while let current = unsafe entry {
            unsafe entry = next(first, current)
            guard let module = unsafe module(current) else { continue }
            defer { _ = unsafe unrefModule(module) }
            if let path = unsafe path(module).map({ unsafe String(cString: $0) }) {
                found.append(path.hasPrefix(root + "/") ? String(path.dropFirst(root.utf8.count + 1)) : path)
            } else if let name = unsafe name(module).map({ unsafe String(cString: $0) }) {
                let known = builtin ?? builtinModules(in: root)
                builtin = known
                found.append(known.first { isFile($0, of: name) } ?? name)
            }
        }
        return found
    }

    /// The paths of the kernel's built-in modules, without `.ko`; libkmod returns only their names.
    private func builtinModules(in root: String) -> [String] {
        let file = FilePath(root).appending("modules.builtin")
        guard let descriptor = try? FileDescriptor.open(file, .readOnly, options: .closeOnExec) else { return [] }
        defer { try? descriptor.close() }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            let chunk = try? unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard let chunk, !chunk.isEmpty else { break }
            bytes += chunk
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let path = String(decoding: line, as: UTF8.self)
            return path.hasSuffix(".ko") ? String(path.dropLast(3)) : path
        }
    }
}

/// Whether a path without `.ko` is that of a module: the file may have hyphens for the kernel's underscores.
func isFile(_ path: String, of module: String) -> Bool {
    guard let file = path.utf8.split(separator: UInt8(ascii: "/")).last, file.count == module.utf8.count else {
        return false
    }
    return zip(file, module.utf8).allSatisfy { $0 == $1 || ($0 == UInt8(ascii: "-") && $1 == UInt8(ascii: "_")) }
}
