// The fuzzers' main program: libFuzzer runs the parser that FUZZ_TARGET names.
import Glibc

/// The parsers, by the names that Scripts/fuzz accepts.
let parsers: [String: @Sendable ([UInt8]) -> Void] = [
    "bluetoothManagement": { fuzzBluetoothManagement($0) },
    "bluetoothHCI": { fuzzBluetoothHCI($0) },
    "busValues": { fuzzBusValues($0) },
    "radioEvent": { fuzzRadioEvent($0) },
    "json": { fuzzJSON($0) },
    "gpsd": { fuzzGPSD($0) },
    "inputDevice": { fuzzInputDevice($0) },
    "iioAttributeNames": { fuzzIIOAttributeNames($0) },
    "iioValues": { fuzzIIOValues($0) },
    "iioScans": { fuzzIIOScans($0) },
    "iioContext": { fuzzIIOContext($0) },
    "iiodAnswers": { fuzzIIODAnswers($0) },
    "iiodResponses": { fuzzIIODResponses($0) },
    "iioChips": { fuzzIIOChips($0) },
    "properties": { fuzzProperties($0) },
    "configuration": { fuzzConfiguration($0) },
    "manifest": { fuzzManifest($0) },
    "grants": { fuzzGrants($0) },
    "policy": { fuzzPolicy($0) },
    "accessControlList": { fuzzAccessControlList($0) },
    "propertyList": { fuzzPropertyList($0) },
    "recording": { fuzzRecording($0) },
    "replay": { fuzzReplay($0) },
    "cachedReport": { fuzzCachedReport($0) },
    "baseline": { fuzzBaseline($0) },
    "history": { fuzzHistory($0) },
    "consentAnswer": { fuzzConsentAnswer($0) },
    "loginSession": { fuzzLoginSession($0) },
    "textWriter": { fuzzTextWriter($0) },
    "jsonWriter": { fuzzJSONWriter($0) },
    "junitWriter": { fuzzJUnitWriter($0) },
    "tapWriter": { fuzzTAPWriter($0) },
    "shellWords": { fuzzShellWords($0) },
    "fleetMessages": { fuzzFleetMessages($0) },
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
