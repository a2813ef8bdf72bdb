package import DriverKit
internal import Glibc

/// A C library that is opened at first use, so that a system without it loses only the features that need it.
@safe
package struct DynamicLibrary {
    private let name: String
    private let handle: UnsafeMutableRawPointer

    /// Opens a library by its file name, such as `libkmod.so.2`; `unsupported` if it is missing.
    package init(_ name: String) throws(DriverError) {
        // Never closed: the next call finds it open.
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let short = name.prefix { $0 != "." }
            throw DriverError(.unsupported, subject: name, detail: "\(short) is not installed (\(name))")
        }
        self.name = name
        unsafe self.handle = handle
    }

    /// A function of the library, with the type in its header; `unsupported` if the library has none of this name.
    @unsafe
    package func function<Function>(_ symbol: String) throws(DriverError) -> Function {
        guard let address = unsafe dlsym(handle, symbol) else {
            throw DriverError(.unsupported, subject: name, detail: "\(name) has no function \(symbol)")
        }
        return unsafe unsafeBitCast(address, to: Function.self)
    }
}
