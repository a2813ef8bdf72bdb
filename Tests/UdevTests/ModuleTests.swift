import DriverKit
import Glibc
import Testing

@testable import Udev

@Suite struct ModuleTests {
    @Test(arguments: [
        ("kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko.xz", "bmi160_i2c"),
        ("kernel/drivers/iio/accel/hid-sensor-accel-3d", "hid_sensor_accel_3d"), ("", ""),
    ])
    func `a module's name is that of its file`(path: String, name: String) {
        #expect(moduleName(of: path) == name)
    }

    /// A modules folder with one module, one module of the kernel's own, and depmod's index of both.
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
        #expect(modules(for: "i2c:bmi160", in: tree) == ["kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko"])
        #expect(modules(for: "spi:kxsd9", in: tree) == ["kernel/drivers/iio/accel/kxsd9-spi"])
        for alias in ["i2c:nothing", "", String(repeating: "x", count: 10_000)] {
            #expect(modules(for: alias, in: tree) == [])
        }
    }

    @Test func `a folder without index knows no module`() {
        #expect(modules(for: "i2c:bmi160", in: "/nonexistent") == [])
    }

    /// nil where libkmod is not installed.
    private func modules(for alias: String, in folder: String) -> [String]? {
        guard let library = KMod(folder: folder) else { return nil }
        return library.modules(for: alias)
    }

    @Test func `the running system answers, whatever it has`() throws {
        #expect(try Udev.modules(for: "i2c:no such chip").isEmpty)
    }
}
