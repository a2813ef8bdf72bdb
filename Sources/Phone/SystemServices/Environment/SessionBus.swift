internal import DriverKit
internal import Glibc
internal import Linux
internal import SystemPackage

/// The session bus by libsystemd's sd-bus, loaded at first use, so that the other services work without it.
///
/// Signatures as in sd-bus.h since version 221; the handle is opaque.
@safe
struct SessionBus: @unchecked Sendable {
    private typealias Handle = OpaquePointer
    private typealias Names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private typealias Open = @convention(c) (UnsafeMutablePointer<Handle?>?) -> CInt
    private typealias List =
        @convention(c) (Handle?, UnsafeMutablePointer<Names?>?, UnsafeMutablePointer<Names?>?) -> CInt
    private typealias Release = @convention(c) (Handle?) -> Handle?

    /// The names on a bus: those that have an owner, and those that the bus starts a service for on request.
    struct Listing: Sendable {
        var owned, activatable: Set<String>
    }

    private let open: Open
    private let list: List
    private let release: Release

    /// Opens the library; throws if it is missing.
    init(library name: String = "libsystemd.so.0") throws(DriverError) {
        let library = try DynamicLibrary(name)
        unsafe open = try unsafe library.function("sd_bus_open_user")
        unsafe list = try unsafe library.function("sd_bus_list_names")
        unsafe release = try unsafe library.function("sd_bus_flush_close_unref")
    }

    /// Returns the names on the bus of DBUS_SESSION_BUS_ADDRESS, else on the user's own.
    ///
    /// It starts no service, and may block as long as the bus does not answer: to be called on a thread that can be
    /// abandoned.
    func names() throws(Errno) -> Listing {
        var bus: Handle?
        var status = unsafe open(&bus)
        guard status >= 0 else { throw Errno(rawValue: -status) }
        defer { _ = unsafe release(bus) }
        var owned: Names?
        var activatable: Names?
        status = unsafe list(bus, &owned, &activatable)
        guard status >= 0 else { throw Errno(rawValue: -status) }
        return unsafe Listing(owned: Self.take(owned), activatable: Self.take(activatable))
    }

    /// The texts of a null-terminated list, which is then freed.
    private static func take(_ list: Names?) -> Set<String> {
        guard let list = unsafe list else { return [] }
        var names: Set<String> = []
        var entry = unsafe list
        while let text = unsafe entry.pointee {
            unsafe names.insert(String(cString: text))
            unsafe free(text)
            unsafe entry += 1
        }
        unsafe free(list)
        return names
    }
}
