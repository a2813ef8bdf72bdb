/// The counts of one axis, in order of arrival: two bytes each as long as all of them fit, else four.
public struct CountColumn: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable, Equatable {
    private var narrow: [Int16] = []
    /// All counts once one needs it, then `narrow` is empty.
    private var wide: [Int32] = []

    /// Creates a column of some counts.
    public init(_ counts: some Sequence<Int32>) { for count in counts { append(count) } }

    /// Creates a column of the listed counts.
    public init(arrayLiteral counts: Int32...) { self.init(counts) }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of counts.
    public var endIndex: Int { narrow.count + wide.count }
    /// The count of a sample.
    public subscript(index: Int) -> Int32 { wide.isEmpty ? Int32(narrow[index]) : wide[index] }

    mutating func reserveCapacity(_ samples: Int) { narrow.reserveCapacity(samples) }

    mutating func append(_ count: Int32) {
        if wide.isEmpty {
            if let count = Int16(exactly: count) { return narrow.append(count) }
            wide.reserveCapacity(narrow.capacity)
            for count in narrow { wide.append(Int32(count)) }
            narrow = []
        }
        wide.append(count)
    }
}

/// The times of samples in nanoseconds, in order of arrival: four bytes each as long as neighbours are close.
public struct TimeColumn: RandomAccessCollection, Sendable, Equatable {
    /// How many times refer to one anchor.
    private static let span = 32
    private var anchors: [Int64] = []
    /// Each time less its anchor.
    private var offsets: [Int32] = []
    /// All times once one is more than two seconds from its anchor, then the others are empty.
    private var whole: [Int64] = []

    /// Creates a column of some times.
    public init(_ times: some Sequence<Int64>) { for time in times { append(time) } }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of times.
    public var endIndex: Int { offsets.count + whole.count }
    /// The time of a sample.
    public subscript(index: Int) -> Int64 {
        whole.isEmpty ? anchors[index / Self.span] + Int64(offsets[index]) : whole[index]
    }

    mutating func reserveCapacity(_ samples: Int) {
        offsets.reserveCapacity(samples)
        anchors.reserveCapacity(samples / Self.span + 1)
    }

    mutating func append(_ time: Int64) {
        guard whole.isEmpty else { return whole.append(time) }
        if offsets.count.isMultiple(of: Self.span) { anchors.append(time) }
        let (difference, isOverflow) = time.subtractingReportingOverflow(anchors[anchors.count - 1])
        if !isOverflow, let offset = Int32(exactly: difference) { return offsets.append(offset) }
        let before = (0..<offsets.count).map { self[$0] }
        (anchors, offsets, whole) = ([], [], before)
        whole.append(time)
    }
}
