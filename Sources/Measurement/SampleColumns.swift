/// Whole numbers in order of arrival, each kept as its distance from a neighbour, in the narrower `Offset` as long as all
/// distances fit.
package struct SampleColumn<Value: FixedWidthInteger & Sendable, Offset: FixedWidthInteger & Sendable>:
    RandomAccessCollection, ExpressibleByArrayLiteral, Sendable, Equatable
{
    /// How many numbers refer to one anchor.
    private static var span: Int { 32 }
    private var anchors: [Value] = []
    /// Each number less its anchor.
    private var offsets: [Offset] = []
    /// All numbers once one is too far from its anchor, then the others are empty.
    private var whole: [Value] = []

    /// Creates a column of some numbers.
    package init(_ values: some Sequence<Value>) { for value in values { append(value) } }

    /// Creates a column of the listed numbers.
    package init(arrayLiteral values: Value...) { self.init(values) }

    /// 0.
    package var startIndex: Int { 0 }
    /// The number of samples.
    package var endIndex: Int { offsets.count + whole.count }
    /// The number of a sample.
    package subscript(index: Int) -> Value {
        whole.isEmpty ? anchors[index / Self.span] + Value(truncatingIfNeeded: offsets[index]) : whole[index]
    }

    mutating func reserveCapacity(_ samples: Int) {
        offsets.reserveCapacity(samples)
        anchors.reserveCapacity(samples / Self.span + 1)
    }

    mutating func append(_ value: Value) {
        guard whole.isEmpty else { return whole.append(value) }
        if offsets.count.isMultiple(of: Self.span) { anchors.append(value) }
        let (difference, isOverflow) = value.subtractingReportingOverflow(anchors[anchors.count - 1])
        if !isOverflow, let offset = Offset(exactly: difference) { return offsets.append(offset) }
        let before = (0..<offsets.count).map { self[$0] }
        let capacity = offsets.capacity
        (anchors, offsets, whole) = ([], [], [])
        whole.reserveCapacity(capacity)
        whole += before
        whole.append(value)
    }
}

/// The counts of one axis: two bytes each as long as neighbours are close, else four.
package typealias CountColumn = SampleColumn<Int32, Int16>

/// The times of samples in nanoseconds: four bytes each as long as neighbours are within two seconds, else eight.
package typealias TimeColumn = SampleColumn<Int64, Int32>
