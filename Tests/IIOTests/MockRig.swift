import DriverKit
import Glibc
import IIO
import SystemPackage
import Linux

/// A hundred devices for umockdev, of the unusual kinds that mainline drivers create.
enum MockRig {
    static let folder = "/sys/devices/pci0000:00/0000:00:1f.4/i2c-1"
    static let count = 100

    static func address(_ number: Int) -> String {
        let digits = String(number + 8, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// A device's channels depend on its number: six axes, one-axis gyroscope, two-axis accelerometer, steps, light.
    static func attributes(_ number: Int) -> [(String, String)] {
        switch number % 5 {
        case 0:
            ["in_accel", "in_anglvel"].flatMap { type in
                [
                    ("\(type)_x_raw", "\(number)"), ("\(type)_y_raw", "-2"), ("\(type)_z_raw", "16384"),
                    ("\(type)_scale", type == "in_accel" ? "0.5" : "0.001"),
                    ("\(type)_sampling_frequency", "12.500000"),
                ]
            }
        case 1:
            [
                ("in_anglvel_z_raw", "\(number)"), ("in_anglvel_z_scale", "0.25"),
                ("in_anglvel_z_quadrature_correction_raw", "1"),
            ]
        case 2:
            [
                ("in_accel_x_raw", "\(number)"), ("in_accel_y_raw", "3"), ("in_accel_x_scale", "2"),
                ("in_accel_y_scale", "4"),
            ]
        case 3: [("in_steps_input", "\(number)"), ("in_steps_en", number % 2 == 0 ? "0" : "1")]
        default: [("in_illuminance_raw", "5"), ("in_gravity_x_raw", "1")]
        }
    }

    /// The sensors that these channels are, as `kind key availability`.
    static var expected: [String] {
        (0..<count).flatMap { number -> [String] in
            let key = "0000:00:1f.4/\(address(number))"
            return switch number % 5 {
            case 0: ["accelerometer \(key) available", "gyroscope \(key) available"]
            case 1: ["gyroscope \(key) available"]
            case 2: ["accelerometer \(key) available"]
            case 3: ["stepCounter \(key) \(number % 2 == 0 ? "poweredOff" : "available")"]
            default: []
            }
        }.sorted()
    }

    /// The devices as umockdev reads them; values end in a newline, as the kernel's do.
    static var description: String {
        (0..<count).map { number in
            let chip = folder.dropFirst("/sys".utf8.count) + "/1-\(address(number))"
            let values = attributes(number).map { "A: \($0.0)=\($0.1)\\n\n" }.joined()
            return """
                P: \(chip)/iio:device\(number)
                N: iio:device\(number)
                E: DEVNAME=/dev/iio:device\(number)
                E: SUBSYSTEM=iio
                E: DEVTYPE=iio_device
                A: name=chip\(number)\\n
                \(values)
                P: \(chip)
                E: SUBSYSTEM=i2c
                E: DRIVER=chip
                E: MODALIAS=i2c:chip\(number)


                """
        }.joined()
    }

    /// Writes the description to a new file.
    static func file(_ text: String = description) throws -> String {
        var name = Array("/tmp/rigready-mock-XXXXXX".utf8CString)
        let file = unsafe name.withUnsafeMutableBufferPointer { buffer -> CInt in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe mkstemp(start)
        }
        guard file >= 0 else { throw Errno(rawValue: errno) }
        let descriptor = FileDescriptor(rawValue: file)
        try descriptor.closeAfter { _ = try descriptor.writeAll(text.utf8) }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// This machine, or umockdev's simulation.
    static var world: LiveWorld {
        LiveWorld(drivers: [IIODriver()])
    }
}
