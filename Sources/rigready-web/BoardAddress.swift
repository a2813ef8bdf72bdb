#if Web

    import DriverKit
    import LocalRig
    import NIOCore

    /// An address to listen at: in figures, so that it is known whether others reach it.
    struct BoardAddress {
        /// The address in figures.
        let host: String
        let port: UInt16
        /// The address or name as given.
        let name: String

        /// Parses `ADDRESS:PORT`, a name or figures, and finds the address of a name.
        init(_ text: String) throws(LocalRigError) {
            // A port alone would be taken for an address in one figure.
            let isPort = text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
            guard !isPort, let place = HostPort(text, defaultPort: RigReadyWeb.defaultAddress.port) else {
                throw LocalRigError(
                    .invalidRequest, "--listen takes ADDRESS:PORT, such as 0.0.0.0:8710, not '\(text)'.")
            }
            do {
                let socket = try SocketAddress.makeAddressResolvingHost(place.host, port: Int(place.port))
                host = socket.ipAddress ?? place.host
            } catch {
                throw LocalRigError(.invalidRequest, "--listen: there is no address '\(place.host)' on this machine.")
            }
            port = place.port
            name = place.host
        }

        var isLoopback: Bool { BoardAccess.isLoopback(host) }

        /// The addresses to type in a browser: of an address that stands for all, each that others may reach, IPv4 first.
        var reachable: [String] {
            guard host == "0.0.0.0" || host == "::" else { return [host] }
            let devices = (try? System.enumerateDevices()) ?? []
            let found = devices.compactMap { $0.address?.ipAddress }.filter { address in
                !BoardAccess.isLoopback(address) && !address.hasPrefix("fe80:")
                    && (host == "::" || !address.contains(":"))
            }
            let ordered = found.filter { !$0.contains(":") } + found.filter { $0.contains(":") }
            return ordered.isEmpty ? [host == "::" ? "::1" : "127.0.0.1"] : ordered
        }

        /// An address of the board for a browser.
        func link(_ host: String, isSecure: Bool, token: String?) -> String {
            let place = HostPort(host: host, port: port)
            return "\(isSecure ? "https" : "http")://\(place)/\(token.map { "?token=\($0)" } ?? "")"
        }
    }
#endif
