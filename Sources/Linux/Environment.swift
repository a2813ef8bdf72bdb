internal import Glibc

/// The environment variables of this process.
package enum Environment {
    /// Returns the value of a variable; nil if it is not set, or empty, which the XDG and NO_COLOR conventions treat
    /// alike.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
