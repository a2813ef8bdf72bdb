internal import CKmod
internal import DriverKit
internal import Glibc
internal import SystemPackage

/// libkmod, opened at first use, so that a board without it can still be probed.
enum KMod {
    private typealias Handle = OpaquePointer

    /// The modules that would drive a device with this MODALIAS, as paths below the running kernel's modules folder, or
    /// below another one.
    ///
    /// A built-in module has no `.ko`; if its path is unknown, it is only a name. Throws `unsupported` without libkmod or
    /// an index (`modules.alias.bin`), since an empty list would mean that there is no module. Loads no module.
    static func modules(for alias: String, in folder: String? = nil) throws(DriverError) -> [String] {
        let library = try DynamicLibrary("libkmod.so.2")
        let new: opened_kmod_new = try unsafe library.function("kmod_new")
        let unref: opened_kmod_unref = try unsafe library.function("kmod_unref")
        let setPriority: opened_kmod_set_log_priority = try unsafe library.function("kmod_set_log_priority")
        let folderName: opened_kmod_get_dirname = try unsafe library.function("kmod_get_dirname")
        let lookup: opened_kmod_module_new_from_lookup = try unsafe library.function("kmod_module_new_from_lookup")
        let next: opened_kmod_list_next = try unsafe library.function("kmod_list_next")
        let module: opened_kmod_module_get_module = try unsafe library.function("kmod_module_get_module")
        let path: opened_kmod_module_get_path = try unsafe library.function("kmod_module_get_path")
        let name: opened_kmod_module_get_name = try unsafe library.function("kmod_module_get_name")
        let unrefModule: opened_kmod_module_unref = try unsafe library.function("kmod_module_unref")
        let unrefList: opened_kmod_module_unref_list = try unsafe library.function("kmod_module_unref_list")
        guard let context = unsafe new(folder, nil) else {
            throw DriverError(.unsupported, errno: .current, subject: "libkmod.so.2")
        }
        defer { _ = unsafe unref(context) }
        // It would write to the command's standard error.
        unsafe setPriority(context, -1)
        let root = unsafe folderName(context).map { unsafe String(cString: $0) } ?? ""
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
        lazy var builtin = builtinModules(in: root)
        var found: [String] = []
        var entry = unsafe Optional(first)
        while let current = unsafe entry {
            unsafe entry = next(first, current)
            guard let module = unsafe module(current) else { continue }
            defer { _ = unsafe unrefModule(module) }
            if let path = unsafe path(module).map({ unsafe String(cString: $0) }) {
                found.append(path.hasPrefix(root + "/") ? String(path.dropFirst(root.utf8.count + 1)) : path)
            } else if let name = unsafe name(module).map({ unsafe String(cString: $0) }) {
                found.append(builtin.first { isFile($0, of: name) } ?? name)
            }
        }
        return found
    }

    /// The paths of the kernel's built-in modules, without `.ko`; libkmod returns only their names.
    private static func builtinModules(in root: String) -> [String] {
        let file = FilePath(root).appending("modules.builtin")
        let bytes = (try? LiveWorld(drivers: []).contents(of: file, limit: 4 << 20)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let path = String(decoding: line, as: UTF8.self)
            return path.hasSuffix(".ko") ? String(path.dropLast(3)) : path
        }
    }
}

/// Whether a path without `.ko` is that of a module: the file may have hyphens for the kernel's underscores.
func isFile(_ path: String, of module: String) -> Bool {
    String(path.split(separator: "/").last?.map { $0 == "-" ? "_" : $0 } ?? []) == module && !module.isEmpty
}
