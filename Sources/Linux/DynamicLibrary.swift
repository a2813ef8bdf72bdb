package import DriverKit
internal import Glibc

/// A C library that is opened at first use, so that a system without it loses only what needs it.
@safe
package struct DynamicLibrary {
    private let name: String
    private let handle: UnsafeMutableRawPointer

    /// Opens a library by its file's name, such as `libkmod.so.2`; `unsupported` where it is missing.
    package init(_ name: String) throws(DriverError) {
        // Never closed: the next call finds it open.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let short = name.prefix { $0 != "." }
            throw DriverError(.unsupported, subject: name, detail: "\(short) is not installed (\(name))")
        }
        self.name = name
        unsafe self.handle = handle
    }

    /// A function of the library, of the type that its header gives; `unsupported` where it has none of this name.
    @unsafe
    package func function<Function>(
        _ symbol: String, as type: Function.Type = Function.self
    ) throws(DriverError) -> Function {
        guard let address = unsafe dlsym(handle, symbol) else {
            throw DriverError(.unsupported, subject: name, detail: "\(name) has no function \(symbol)")
        }
        return unsafe unsafeBitCast(address, to: type)
    }
}
