// The fuzzers' program: libFuzzer drives the parser that FUZZ_TARGET names.
import Glibc

/// The parsers, by the name that Scripts/fuzz takes.
let parsers: [String: @Sendable ([UInt8]) -> Void] = [
    "recording": fuzzRecording
]

let target = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
guard let chosen = parsers[target] else { fatalError("FUZZ_TARGET is one of \(parsers.keys.sorted())") }
let parser = chosen

/// libFuzzer's own loop, which it exports for programs with a main of their own.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var words = unsafe CommandLine.unsafeArgv
exit(unsafe runDriver(&count, &words) { start, count in unsafe fuzzOne(start, count) })
