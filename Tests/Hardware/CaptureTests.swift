import Foundation
import Testing

/// An app's continuous capture from real kernel drivers, by `Examples/phone-app`.
@Suite struct CaptureBenchTests {
    /// What an app printed in one case.
    struct Run {
        let lines: [[Substring]]

        init(_ name: String) throws {
            lines = try Bench.text("\(name).txt").split(separator: "\n").map { $0.split(separator: " ") }
        }

        /// The rest of the last line with a first word: a hub that the emulator held up is an error before the one expected.
        func said(_ word: String) -> String? {
            lines.last { $0.first == word[...] }.map { $0.dropFirst().joined(separator: " ") }
        }

        /// Time and axes of the samples.
        var samples: [[Double]] {
            lines.filter { $0.first == "sample" }.map { $0.dropFirst().compactMap { Double($0) } }
        }

        /// The seconds between samples.
        var steps: [Double] { zip(samples, samples.dropFirst()).map { $1[0] - $0[0] } }

        /// The median of the steps, which a stalled machine does not change.
        var usualStep: Double { steps.sorted()[steps.count / 2] }
    }

    @Test func `fifty samples a second come through the buffer, with the kernel's times`() throws {
        let run = try Run("capture-accelerometer")
        #expect(run.said("capture") == "accel_3d buffer 50.0")
        #expect(run.said("status") == "0")
        #expect(run.samples.count == 150 && run.samples.allSatisfy { $0.count == 4 })
        #expect(run.steps.allSatisfy { $0 > 0 })
        // The hub sends every 20 ms, as far as an emulated machine permits.
        #expect(0.01...0.04 ~= run.usualStep)
        // Milli-g of the hub, except for its noise; the cells' undefined bits would give thousands.
        for sample in run.samples {
            for (value, expected) in zip(sample.dropFirst(), [0.012, -0.031, 0.998]) {
                #expect(abs(value - expected) < 0.003)
            }
        }
    }

    @Test func `a gyroscope's samples are in radians a second`() throws {
        let run = try Run("capture-gyro")
        #expect(run.said("capture") == "gyro_3d buffer 50.0" && run.samples.count == 50)
        for sample in run.samples {
            for (value, degrees) in zip(sample.dropFirst(), [0.15, -0.08, 0.04]) {
                #expect(abs(value - degrees * .pi / 180) < 0.0004)
            }
        }
    }

    @Test func `settings of a capture are restored`() throws {
        let before = try Bench.text("settings-before.txt")
        #expect(before.contains("scan_elements/in_accel_y_en 1") && before.contains("buffer/enable 0"))
        #expect(try Bench.text("settings-after.txt") == before)
    }

    @Test func `a hub that is unplugged ends the capture`() throws {
        let run = try Run("capture-unplugged")
        #expect(!run.samples.isEmpty)
        #expect(run.said("error")?.hasPrefix("CMErrorDomain 109 ") == true && run.said("status") == "1")
    }

    @Test func `a node that may not be read is not authorized`() throws {
        let run = try Run("capture-denied")
        #expect(run.samples.isEmpty)
        #expect(run.said("error")?.hasPrefix("CMErrorDomain 111 ") == true && run.said("status") == "1")
    }

    @Test func `a user who may read but not set reads attributes`() throws {
        let run = try Run("capture-unprivileged")
        #expect(run.said("capture") == "accel_3d attributes 50.0")
        #expect(run.said("because")?.contains("buffer/enable") == true)
        #expect(run.samples.count == 20 && run.said("status") == "0")
    }

    @Test func `another program's capture is not interrupted`() throws {
        let run = try Run("capture-busy")
        #expect(run.said("error")?.hasPrefix("CMErrorDomain 109 ") == true)
        #expect(run.said("error")?.contains("EBUSY") == true && run.samples.isEmpty)
    }

    @Test func `a chip without a trigger is read by its attributes at a declared rate`() throws {
        let run = try Run("capture-attributes")
        #expect(run.said("capture") == "lis3dh attributes 50.0")
        #expect(run.said("because")?.isEmpty == false)
        #expect(run.samples.count == 30 && run.steps.allSatisfy { $0 > 0 })
        for sample in run.samples { #expect(abs(sample[3] - 1) < 0.1) }
    }

    @Test func `a chip reports the activity and the number of steps`() throws {
        #expect(try Run("activity").said("activity") == "walking 2")
        #expect(try Run("steps-on").said("steps") == "1234")
        let off = try Run("steps-off")
        #expect(off.said("steps") == nil && off.said("status") == "1")
    }

    @Test func `a hub that stops answering is reported and waited for`() throws {
        let run = try Run("capture-frozen")
        #expect(run.said("error")?.hasPrefix("CMErrorDomain 112 ") == true)
        // It answered again, and the rest came.
        #expect(run.samples.count == 400 && run.said("status") == "0")
    }

    @Test func `a hub that never answers is reported and blocks nothing`() throws {
        let run = try Run("capture-frozen-before")
        #expect(run.samples.isEmpty && run.said("status") == "1")
        #expect(run.said("error")?.hasPrefix("CMErrorDomain 112 ") == true)
    }

    @Test func `what a killed app left is taken over`() throws {
        let run = try Run("capture-after-a-kill")
        #expect(run.said("capture") == "accel_3d buffer 50.0" && run.samples.count == 20)
    }
}
