/// A result for a continuous integration server: a list of cases, written as JUnit XML or as TAP.
struct CaseList {
    /// The name of the suite, such as `rigready`; the same for every rig.
    var suite: String
    /// The host name of the rig.
    var host: String
    /// The start of the probe, in UTC.
    var takenAt: String
    /// The parameters, by name.
    var properties: [(name: String, value: String)]
    /// The total duration.
    var seconds: Double
    /// The cases; a name is unique in its class.
    var cases: [Case]
}
