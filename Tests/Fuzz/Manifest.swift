import LocalRig
import Readiness

/// Parses bytes as a manifest; writing and reading it again gives an equal one.
func fuzzManifest(_ bytes: [UInt8]) {
    do {
        let manifest = try Baseline(manifest: bytes, file: "fuzz")
        guard let again = try? Baseline(manifest: Array(manifest.manifest().utf8), file: "fuzz") else {
            // A file near the bounds may exceed them when it is written out.
            return precondition(bytes.count > 10_000, "a manifest that cannot be read again")
        }
        precondition(again.services == manifest.services && again.sensors == manifest.sensors ?? [])
    } catch {
        precondition(!error.description.contains("\n"), "an error of several lines")
    }
}
