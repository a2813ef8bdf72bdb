/// Runs one input; the name is the one that libFuzzer's own main looks for, although this program has its own.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    parser(bytes)
    return 0
}
