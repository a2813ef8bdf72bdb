internal import DriverKit
internal import Readiness

/// What makes a motion sensor among the input devices serve.
struct EvdevRemedies {
    let node: String

    /// What lets this user read the node.
    ///
    /// Not the group `input`: its members read every keyboard.
    var access: [Remedy] {
        guard let word = ShellWord.quoted(node) else { return [.option(.asRoot)] }
        return [
            .command(
                "sudo setfacl -m \"u:$(id -un):r\" \(word)",
                note: "for now; permanently for the user of the seat: the udev rules of rigready")
        ]
    }

    /// For a device that reports nothing.
    var silent: [Remedy] {
        [.advice("switch the device on and connect it, as its maker describes"), .option(.again)]
    }

    /// For a device of which it is unknown whether it still reports.
    var atRest: [Remedy] { [.advice("move the device while it is probed"), .option(.again)] }

    /// For a device that fails to answer.
    var faulty: [Remedy] { [.advice("unplug the device, and plug it in again"), .command("sudo dmesg")] }

    /// For a node that is not there though the device is.
    var missingNode: [Remedy] {
        [.advice("in a container: pass the node \(node) in; else check that devtmpfs is mounted on /dev")]
    }

    func remedies(for error: DriverError) -> [Remedy] {
        switch error.code {
        case .notRecorded: [.option(.recordAgain)]
        case .cancelled, .unanswered: [.option(.again)]
        case .timedOut: atRest
        default: error.isDenied ? access : faulty
        }
    }
}
