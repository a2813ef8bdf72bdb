public import DriverKit
internal import Readiness
internal import SystemPackage

extension ServiceState {
    /// The state of ALSA's capture devices: the access of this user to their nodes, none of which is opened.
    public static func microphone(in world: any World) -> ServiceState {
        let folder = FilePath("/dev/snd")
        let absent = ServiceState(
            .absent, evidence: "no card captures sound", remedies: [.advice("connect a microphone")])
        let names: [String]
        do throws(DriverError) {
            names = try world.entries(of: folder).filter(isCapture)
        } catch {
            // Without a card there is no folder.
            return error.errno == .noSuchFileOrDirectory ? absent : ServiceState(.unknown, evidence: error.description)
        }
        var clause: String?
        var doubt: String?
        for name in names {
            do throws(DriverError) {
                let status = try world.status(of: folder.appending(name))
                if status.readable { return ServiceState(.granted, evidence: "/dev/snd/\(name) may be read") }
                clause = clause ?? status.clause
            } catch {
                // A device that was removed meanwhile is ignored.
                if error.errno != .noSuchFileOrDirectory { doubt = error.description }
            }
        }
        if let doubt { return ServiceState(.unknown, evidence: doubt) }
        guard let clause, let first = names.first else { return absent }
        return ServiceState(
            .denied, evidence: "/dev/snd/\(first): \(clause)",
            remedies: [.command("sudo usermod -aG audio \"$(id -un)\"", note: "then log in again")])
    }

    /// `pcmC0D0c` captures, `pcmC0D0p` plays.
    private static func isCapture(_ name: String) -> Bool {
        guard name.hasPrefix("pcmC"), name.hasSuffix("c") else { return false }
        let parts = name.dropFirst(4).dropLast().split(separator: "D", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }
}
