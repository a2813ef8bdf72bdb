import Foundation
import Testing

/// The program's libraries.
@Suite struct LinkageTests {
    @Test func `Foundation proper and libraries opened at first use are not linked`() throws {
        let libraries = try Tool.run("/usr/bin/ldd", [Program.url.path]).output
        #expect(libraries.contains("libudev.so"))
        let strangers = [
            "libFoundation.so", "_FoundationICU", "libiio", "libkmod", "libbluetooth", "libsystemd", "libmosquitto",
            "libssl",
        ]
        for stranger in strangers {
            #expect(!libraries.contains(stranger), "\(stranger)")
        }
    }
}
