internal import Readiness
public import DriverKit
internal import SystemPackage

/// ALSA's capture devices, and which of them this user may open; none is opened to find out.
public enum Microphones: Sendable, Equatable {
    /// This user may record from these, named as in `/dev/snd`.
    case readable([String])
    /// There are some, but this user may read none; the access to the first.
    case denied([String], clause: String)
    /// No card captures sound.
    case absent
    /// It is unknown.
    case unknown(String)

    private static let folder = FilePath("/dev/snd")

    /// Examines the nodes of a world, by owner, group, mode and access list.
    public init(in world: any World) {
        let names: [String]
        do throws(DriverError) {
            names = try world.entries(of: Self.folder).filter(Self.isCapture)
        } catch {
            // Without a card there is no folder.
            self = error.errno == .noSuchFileOrDirectory ? .absent : .unknown(error.description)
            return
        }
        guard !names.isEmpty else {
            self = .absent
            return
        }
        var readable: [String] = []
        var clause: String?
        var doubt: String?
        for name in names {
            do throws(DriverError) {
                let status = try world.status(of: Self.folder.appending(name))
                if status.readable { readable.append(name) }
                clause = clause ?? status.clause
            } catch {
                // A device that was removed meanwhile is ignored.
                if error.errno != .noSuchFileOrDirectory { doubt = error.description }
            }
        }
        if !readable.isEmpty {
            self = .readable(readable)
        } else if let doubt {
            self = .unknown(doubt)
        } else {
            self = clause.map { .denied(names, clause: $0) } ?? .absent
        }
    }

    /// `pcmC0D0c` captures, `pcmC0D0p` plays.
    private static func isCapture(_ name: String) -> Bool {
        guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return false }
        let parts = name.dropFirst(4).dropLast().split(separator: "D", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    /// The resulting state of the service.
    var state: ServiceState {
        switch self {
        case .readable(let names):
            ServiceState(.granted, evidence: "/dev/snd/\(names[0]) may be read")
        case .denied(let names, let clause):
            ServiceState(
                .denied, evidence: "/dev/snd/\(names[0]): \(clause)",
                remedies: [.command("sudo usermod -aG audio \"$(id -un)\"", note: "then log in again")])
        case .absent:
            ServiceState(.absent, evidence: "no card captures sound", remedies: [.advice("connect a microphone")])
        case .unknown(let why): ServiceState(.unknown, evidence: why)
        }
    }
}
