internal import DriverKit
internal import Readiness

struct EvdevRemedies {
    let node: String
    /// Where the user who needs access is looked up.
    let world: any World

    /// What lets this user read the node.
    ///
    /// Not the group `input`: its members read every keyboard.
    var access: [Remedy] {
        guard let word = ShellWord(node) else { return [.option(.asRoot)] }
        return [
            .command(
                "sudo setfacl -m \"u:\(world.userName):r\" \(word)",
                note: "for now; permanently for the user of the seat: the udev rules of rigready")
        ]
    }

    var silent: [Remedy] {
        [.advice("switch the device on and connect it, as its maker describes"), .option(.again)]
    }

    /// For a device of which it is unknown whether it still reports.
    var atRest: [Remedy] { [.advice("move the device while it is probed"), .option(.again)] }

    var faulty: [Remedy] { [.advice("unplug the device, and plug it in again"), .command("sudo dmesg")] }

    func remedies(for error: DriverError) -> [Remedy] {
        switch error.code {
        case .notRecorded: [.option(.recordAgain)]
        case .cancelled, .unanswered: [.option(.again)]
        case .timedOut: atRest
        default:
            error.isDenied ? access : faulty
        }
    }
}
