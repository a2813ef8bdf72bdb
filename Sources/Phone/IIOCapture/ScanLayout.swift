/// The offsets of a device's channels in one scan of its buffer.
///
/// Cells are in the order of their indices, each at a multiple of its own size, and a scan ends at a multiple of the
/// largest one. Source: the kernel's `iio_compute_scan_bytes`.
package struct ScanLayout: Sendable {
    /// One enabled channel.
    package struct Element: Sendable, Hashable {
        /// The channel, such as `in_accel_x` or `in_timestamp`.
        package var channel: String
        /// Its index.
        package var index: Int
        /// The format of its cell.
        package var format: CellFormat

        /// Makes an element.
        package init(channel: String, index: Int, format: CellFormat) {
            self.channel = channel
            self.index = index
            self.format = format
        }
    }

    /// The size of one scan in bytes.
    package let size: Int
    private let cells: [String: (place: Int, format: CellFormat)]

    /// Lays out channels; nil for none, or if two share a cell with different formats.
    package init?(_ elements: [Element]) {
        var cells: [String: (place: Int, format: CellFormat)] = [:]
        var size = 0
        var largest = 1
        var last: (element: Element, place: Int)?
        for element in elements.sorted(by: { ($0.index, $0.channel) < ($1.index, $1.channel) }) {
            let step = element.format.size
            if let last, last.element.index == element.index {
                guard last.element.format.size == step else { return nil }
                cells[element.channel] = (last.place, element.format)
                continue
            }
            let place = (size + step - 1) / step * step
            cells[element.channel] = (place, element.format)
            size = place + step
            largest = max(largest, step)
            last = (element, place)
        }
        guard !cells.isEmpty else { return nil }
        self.cells = cells
        self.size = (size + largest - 1) / largest * largest
    }

    /// The value of a channel in the scan at an offset.
    package func number(of channel: String, at start: Int, in bytes: [UInt8]) -> Double? {
        guard let cell = cells[channel] else { return nil }
        return cell.format.number(at: start + cell.place, in: bytes)
    }

    /// The value of a channel as an integer, likewise.
    package func integer(of channel: String, at start: Int, in bytes: [UInt8]) -> Int64? {
        guard let cell = cells[channel] else { return nil }
        return cell.format.integer(at: start + cell.place, in: bytes)
    }
}
