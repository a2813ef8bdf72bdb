package import Readiness

/// What a cause or a notice means, how RigReady detects it, and what fixes it.
///
/// The tables in `Documentation/causes.md` have the same words; a test compares them.
package struct FindingExplanation: Sendable, Equatable {
    /// What it means.
    package let meaning: String
    /// How it is detected.
    package let detection: String
    /// What fixes it.
    package let fix: String

    fileprivate init(_ meaning: String, detected detection: String, fixed fix: String) {
        (self.meaning, self.detection, self.fix) = (meaning, detection, fix)
    }
}

extension Cause {
    /// What it means, how it is detected, and what fixes it.
    package var explanation: FindingExplanation {
        switch self {
        case .restricted:
            FindingExplanation(
                "The system's policy forbids this permission. No user can change this.",
                detected: "The policy file restricts the permission (/etc/rigready/policy.yaml or --policy FILE).",
                fixed: "Ask the owner of the policy file to allow it.")
        case .denied:
            FindingExplanation(
                "This user may not use the sensor: the operating system or a grant denies it.",
                detected:
                    "The node or socket is not accessible to this user, by its mode, its ACL or a security module "
                    + "(EACCES, EPERM); or the grant file denies the permission.",
                fixed:
                    "Install the udev rules, join the group of the node and log in again; or grant the permission: "
                    + "rigready permissions grant.")
        case .notDetermined:
            FindingExplanation(
                "The user has not decided about this permission.",
                detected: "The grant file has not-determined for the permission.",
                fixed: "Ask the user: rigready permissions request.")
        case .reducedAccuracy:
            FindingExplanation(
                "Location is allowed only coarsely, or the position is not precise enough.",
                detected:
                    "A grant or the policy reduces the accuracy; the horizontal error is above --max-error; or the fix "
                    + "is estimated (dead reckoning, time only).",
                fixed:
                    "Grant full accuracy; give the antenna a clear view of the sky; or accept less with --max-error or "
                    + "--allow-estimated.")
        case .foregroundOnly:
            FindingExplanation(
                "Location is allowed only while in use.",
                detected: "A grant or the policy limits location to when-in-use.",
                fixed: "Grant it always: rigready permissions grant location --always.")
        case .unreachable:
            FindingExplanation(
                "The daemon that serves the sensor does not answer.",
                detected:
                    "gpsd or iiod refuses the connection, does not answer in time, or its host name has no address.",
                fixed: "Start the daemon, or correct its address (--gpsd, --iio).")
        case .stale:
            FindingExplanation(
                "The receiver works, but its last position is too old.",
                detected: "The age of the fix is above --max-age.",
                fixed: "Give the antenna a clear view of the sky, or accept an older fix with --max-age.")
        case .noFix:
            FindingExplanation(
                "The receiver works, but it has no position yet.",
                detected:
                    "gpsd reports no fix, or less than --min-fix. The report adds the satellites seen and used, the "
                    + "strongest signal, and an antenna fault if gpsd reports one.",
                fixed: "Move the antenna to a place with a clear view of the sky, and wait longer with --wait-fix.")
        case .silent:
            FindingExplanation(
                "The sensor is there and permitted, but it delivers no data, or only zeros.",
                detected:
                    "No sample came within the time that the probe had, nor within twice the time that the sensor's rate "
                    + "needs; or every axis is zero.",
                fixed: "Run again with a longer --timeout. If it stays silent, replug it or reload its driver.")
        case .faulty:
            FindingExplanation(
                "The sensor answers with errors, or its values cannot be true.",
                detected:
                    "A read fails; its bus gets no answer although the kernel still lists the sensor; or a value breaks "
                    + "a rule of the values that cannot be true, such as a fix from no satellite or at exactly 0, 0.",
                fixed: "Check its wiring, power and address; replug it, or reload its driver.")
        case .lowEnergyOff:
            FindingExplanation(
                "The controller is on, but Bluetooth Low Energy is switched off or not supported.",
                detected: "The controller is powered, and its settings lack Low Energy.",
                fixed: "Switch Low Energy on with btmgmt le on, or use a controller with Bluetooth 4.0 or newer.")
        case .poweredOff:
            FindingExplanation(
                "The controller or step counter is switched off.",
                detected:
                    "The controller reports that it is not powered; or the enable attribute of a step counter is 0.",
                fixed: "Switch the device on; for a controller: bluetoothctl power on.")
        case .softBlocked:
            FindingExplanation(
                "The controller is blocked by rfkill in software.",
                detected: "rfkill reports a soft block, even if the block hides the controller.",
                fixed: "Unblock it: rfkill unblock bluetooth.")
        case .hardBlocked:
            FindingExplanation(
                "The controller is blocked by a hardware switch.",
                detected: "rfkill reports a hard block, even if the block hides the controller.",
                fixed: "Turn on the hardware switch.")
        case .inactive:
            FindingExplanation(
                "The kernel lists the device, but no program has activated it.",
                detected:
                    "gpsd does not own the receiver; ModemManager has not switched on the receiver of a modem; or a "
                    + "controller is not configured.",
                fixed: "Add the receiver to gpsd with gpsdctl add, or switch on the receiver of the modem.")
        case .noDriver:
            FindingExplanation(
                "The chip is on its bus, but no driver is bound to it.",
                detected: "sysfs lists a chip that a motion driver of Linux supports, and shows no driver for it.",
                fixed: "Load the module that the report names, or install it for this kernel.")
        case .absent:
            FindingExplanation(
                "There is no such hardware, or it was removed.",
                detected:
                    "A complete search found none, and the report shows what was searched; or the folder of the sensor "
                    + "is no longer in sysfs.",
                fixed: "Connect the hardware; if it is on another board, use --iio ip:HOST.")
        case .indeterminate:
            FindingExplanation(
                "RigReady cannot determine the state. An unknown state never counts as absent, denied or off.",
                detected:
                    "The depth, the deadline, a container, or a lack of descriptors or memory prevented the search or "
                    + "the read.",
                fixed: "Follow the remedy of the report, such as --depth sample, --timeout, or a mount from the host.")
        }
    }
}

extension Notice.ID {
    /// What it means, how it is detected, and what fixes it.
    package var explanation: FindingExplanation {
        switch self {
        case .simulated:
            FindingExplanation(
                "The fix is simulated.", detected: "gpsd marks the fix of the device as simulated.",
                fixed: "Use a real receiver. --no-simulated refuses such a fix.")
        case .inUse:
            FindingExplanation(
                "Another program captures from the sensor.",
                detected: "The kernel refuses a single read while the buffer of the device is in use (EBUSY).",
                fixed: "Nothing, for a check. Stop the other program before you measure.")
        case .foregroundOnly:
            FindingExplanation(
                "Motion may be captured only while this user sits at the rig.",
                detected: "Each readable motion sensor is readable only for the user of the active seat.",
                fixed: "Add the user to the group iio, and log in again.")
        case .superuser:
            FindingExplanation(
                "The check runs as root, which may read more than an ordinary user.",
                detected: "The user has the number 0.",
                fixed: "Run it as the user of the app, or with --as USER.")
        case .provisional:
            FindingExplanation(
                "Location is allowed always only provisionally, until the user confirms it.",
                detected: "The grant of location is marked as provisional.",
                fixed: "Grant it always: rigready permissions grant location --always.")
        case .containerized:
            FindingExplanation(
                "RigReady runs in a container, which hides devices and services of its host.",
                detected: "The marks of a container are in this system, or the /run/udev of the host is missing.",
                fixed: "Mount what the report names, or run RigReady on the host.")
        case .duplicateKey:
            FindingExplanation(
                "Several sensors have the same key, so only their order distinguishes them.",
                detected: "Two sensors of one kind have one physical place, or none.",
                fixed: "Give each a label, or connect each to its own port.")
        case .noBluetoothDaemon:
            FindingExplanation(
                "bluetoothd does not run, so programs that use BlueZ find no controller.",
                detected: "BlueZ has no owner on the system bus, or bluetooth.service is not running.",
                fixed: "Start bluetooth.service.")
        case .lowAccuracy:
            FindingExplanation(
                "The horizontal error of the fix is large or unknown.",
                detected: "The receiver reports an error above 100 m, or none.",
                fixed: "Give the antenna a clear view of the sky.")
        case .wholeSession:
            FindingExplanation(
                "One failing service stops every other.", detected: "The rules are those of SDK 1.x.",
                fixed: "Repair each service, request fewer services, or select newer rules with --rules.")
        case .noBackgroundStart:
            FindingExplanation(
                "The named services start only while the app is in use.",
                detected: "Background location is not met, and these services run.",
                fixed: "Repair backgroundLocation: rigready explain backgroundLocation.")
        case .resampleOff:
            FindingExplanation(
                "A sensor that stops sending data during a watch is not noticed.",
                detected: "The watch runs without --resample, and silence raises no event.",
                fixed: "Use watch --resample SECONDS.")
        case .slowSensor:
            FindingExplanation(
                "The sensor samples too slowly for the time of the probe.",
                detected: "Its sampling frequency explains why no sample came in time.",
                fixed: "Use the longer --timeout of the report, or raise the sampling frequency.")
        case .rawValue:
            FindingExplanation(
                "The values have no unit. Only a strict check counts this as a failure.",
                detected: "The driver offers no scale, or the scale cannot be read.",
                fixed: "Use a driver that offers the scale.")
        case .unreadSameKind:
            FindingExplanation(
                "A sensor does not work, but another one of its kind does and counts.",
                detected: "One sensor of the kind is available, and this one is not.",
                fixed: "Repair the sensor, or pin the one that counts with --sensor KIND=KEY.")
        case .writablePolicy:
            FindingExplanation(
                "Other users may change the policy. It is obeyed all the same.",
                detected: "The mode or the owner of the policy file, or of its folder, lets others write.",
                fixed: "Give the file and its folder to root, and remove the write permission of others.")
        case .tooManySensors:
            FindingExplanation(
                "There are more sensors than a probe lists, so the rest is unknown.",
                detected: "A driver found more sensors than the limit in the report.",
                fixed: "Remove devices that are not under test.")
        case .contradictoryFix:
            FindingExplanation(
                "The fix contradicts itself, so it cannot be right.",
                detected:
                    "The fix has an error of exactly zero, uses no satellite, is at latitude and longitude zero, or is "
                    + "more than a year away from the system clock.",
                fixed: "Check the firmware, the configuration and the clock of the receiver, and the source of gpsd.")
        case .implausibleValue:
            FindingExplanation(
                "A value is improbable, but possible if the rig moves.",
                detected: "The sample breaks one of the plausibility rules that cause a notice.",
                fixed: "Check the scale of the driver, and run again while the rig is at rest.")
        case .fewAxes:
            FindingExplanation(
                "The sensor measures fewer than three axes. The requirement is unknown if no other sensor has three.",
                detected: "The device lists one or two axes.", fixed: "Use a sensor with three axes.")
        case .mirroredMatrix:
            FindingExplanation(
                "The mount matrix mirrors the axes, which no mounting does.",
                detected: "The determinant of the matrix is -1.",
                fixed: "Correct the matrix in the device tree, in ACPI or in the hwdb of udev.")
        case .defaultAddress:
            FindingExplanation(
                "The controller has no unique address, so its key is its place.",
                detected: "The address is missing, or one that all chips of its type have.",
                fixed: "Install the firmware patch of the controller, or set its address.")
        }
    }
}
