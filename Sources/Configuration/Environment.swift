internal import Glibc

/// The environment variables of this process.
package enum Environment {
    /// The value of a variable; nil where it is not set, or empty, which the XDG and NO_COLOR conventions call the same.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
