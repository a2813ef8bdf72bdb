/// A result as a continuous integration server reads it: a list of cases, written as JUnit XML or as TAP.
struct CaseList {
    /// What the cases were made of, such as `rigready`; the same for every rig.
    var suite: String
    /// The rig.
    var host: String
    /// When, in UTC.
    var takenAt: String
    /// What was asked and how, by name.
    var properties: [(name: String, value: String)]
    /// How long the whole took.
    var seconds: Double
    /// The cases; a name stands once in its class.
    var cases: [Case]
}
