import DriverKit
import Glibc
import Readiness
import Testing
@testable import Recording
@Suite struct TimingXX {
    @Test func timing() throws {
        let demo = try Demo.recording()
        let bytes = try Demo.bytes()
        func cpu() -> Double { var r = rusage(); unsafe getrusage(0, &r); return Double(r.ru_utime.tv_sec) + Double(r.ru_utime.tv_usec)/1e6 + Double(r.ru_stime.tv_sec) + Double(r.ru_stime.tv_usec)/1e6 }
        var a = cpu()
        for _ in 0..<50 { _ = try demo.inventory() }
        print("inventory", (cpu() - a) / 50); a = cpu()
        let i = try demo.inventory()
        for _ in 0..<50 { _ = try i.verdicts }
        print("verdicts", (cpu() - a) / 50); a = cpu()
        for _ in 0..<50 { _ = try Recording(parsing: bytes, file: "f") }
        print("parse", (cpu() - a) / 50)
    }
}
