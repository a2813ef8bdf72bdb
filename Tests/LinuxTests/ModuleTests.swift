import DriverKit
import Glibc
import SystemPackage
import Testing
@testable import Linux

@Suite struct ModuleTests {
    @Test(arguments: [
        ("kernel/drivers/iio/imu/bmi160/bmi160_i2c", "bmi160_i2c", true),
        ("kernel/drivers/iio/accel/hid-sensor-accel-3d", "hid_sensor_accel_3d", true),
        ("kernel/drivers/iio/accel/hid-sensor-accel-3d", "hid_sensor_accel", false),
        ("kernel/drivers/iio/accel/kxsd9", "d9", false), ("", "", false),
    ])
    func `a file belongs to the module that it is named after`(path: String, name: String, belongs: Bool) {
        #expect(isFile(path, of: name) == belongs)
    }

    /// A modules folder with one module, one built-in module, and depmod's index of both.
    private static func folder() throws -> String {
        var name = Array("/tmp/rigready-modules-XXXXXX".utf8CString)
        try #require(
            unsafe name.withUnsafeMutableBufferPointer { buffer -> Bool in
                guard let start = buffer.baseAddress else { return false }
                return unsafe mkdtemp(start) != nil
            })
        let root = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let script = """
            set -e; cd \(root); tree=lib/modules/1.0; mkdir -p $tree/kernel/drivers/iio/imu/bmi160
            printf '__attribute__((section(".modinfo"),used)) static const char a[] = "alias=i2c:bmi160";' > m.c
            clang -c m.c -o $tree/kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko
            echo kernel/drivers/iio/accel/kxsd9-spi.ko > $tree/modules.builtin
            printf 'kxsd9_spi.alias=spi:kxsd9\\0' > $tree/modules.builtin.modinfo
            touch $tree/modules.order; PATH=$PATH:/usr/sbin:/sbin depmod -b $PWD 1.0
            """
        try #require(unsafe system(script) == 0, "clang and depmod are needed")
        return root
    }

    @Test func `libkmod names the modules for an alias by their folder`() throws {
        let root = try Self.folder()
        defer { _ = unsafe system("rm -r \(root)") }
        let tree = "\(root)/lib/modules/1.0"
        #expect(try modules(for: "i2c:bmi160", in: tree) == ["kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko"])
        #expect(try modules(for: "spi:kxsd9", in: tree) == ["kernel/drivers/iio/accel/kxsd9-spi"])
        for alias in ["i2c:nothing", "", String(repeating: "x", count: 10_000)] {
            #expect(try modules(for: alias, in: tree) == [])
        }
    }

    @Test func `a folder without index is unknown, not empty`() throws {
        let error = #expect(throws: DriverError.self) { try modules(for: "i2c:bmi160", in: "/nonexistent") }
        #expect(error?.code == .unsupported && error?.errno == .noSuchFileOrDirectory)
        #expect(error?.subject == "/nonexistent/modules.alias.bin" && error?.reason.contains("no module index") == true)
    }

    private func modules(for alias: String, in folder: String) throws -> [String] {
        try KMod.modules(for: alias, in: folder)
    }

    @Test func `the running system answers, or says that it has no index`() {
        do throws(DriverError) {
            #expect(try KMod.modules(for: "i2c:no such chip").isEmpty)
        } catch {
            #expect(error.code == .unsupported && !error.reason.isEmpty)
        }
    }
}
