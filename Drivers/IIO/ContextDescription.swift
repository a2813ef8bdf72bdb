internal import DriverKit
/// The devices of a libiio context, as its XML describes them.
package struct ContextDescription: Sendable, Equatable {
    /// How one attribute is requested.
    struct Attribute: Sendable, Equatable {
        /// The channel; nil for an attribute of the device itself.
        var channel: String?
        /// Whether that channel is an output.
        var isOutput = false
        /// The name in libiio.
        var name: String
    }

    /// One device.
    package struct ContextDevice: Sendable, Equatable {
        /// Its id, such as `iio:device0`.
        package var id: String
        var name: String?
        var label: String?
        /// Its attributes by their file names in sysfs.
        var attributes: [String: Attribute] = [:]
        /// The bits of its channels by the file name of the raw value.
        var formats: [String: SampleFormat] = [:]
        /// Whether it supports capturing.
        var isBuffered = false

        /// Its sensors.
        package var plans: [SensorPlan] { SensorPlan.plans(for: attributes.keys) }
    }

    static let byteLimit = 4 << 20
    static let deviceLimit = 1024
    static let attributeLimit = 65_536

    /// The devices in the context's order, without triggers.
    package private(set) var devices: [ContextDevice] = []

    /// Parses a context's XML, keeping only what sensors need.
    package init(parsing bytes: [UInt8]) throws(ContextXMLError) {
        guard bytes.count <= Self.byteLimit else {
            throw ContextXMLError(message: "longer than \(Self.byteLimit) bytes", offset: 0)
        }
        var xml = ContextXML(bytes)
        var device: ContextDevice?
        var channel: (id: String, isOutput: Bool, format: SampleFormat?)?
        var count = 0
        var hasContext = false
        /// Keeps the device whose elements are complete.
        func finishDevice() {
            if let device, device.id.hasPrefix("iio:device") { devices.append(device) }
            device = nil
        }
        while let (path, fields) = try xml.next() {
            switch path {
            case ["context"]:
                guard !hasContext else { throw ContextXMLError(message: "two contexts", offset: 0) }
                hasContext = true
            case ["context", "device"]:
                finishDevice()
                guard devices.count < Self.deviceLimit else {
                    throw ContextXMLError(message: "more than \(Self.deviceLimit) devices", offset: 0)
                }
                device = fields["id"].flatMap { id in
                    isWord(id)
                        ? ContextDevice(
                            id: id, name: fields["name"].flatMap { PeerText.line($0.utf8) },
                            label: fields["label"].flatMap { PeerText.line($0.utf8) }) : nil
                }
            case ["context", "device", "channel"]:
                channel = fields["id"].flatMap { isWord($0) ? ($0, fields["type"] == "output", nil) : nil }
            case ["context", "device", "channel", "scan-element"]:
                device?.isBuffered = true
                channel?.format = fields["format"].flatMap { SampleFormat($0.utf8) }
            case ["context", "device", "attribute"], ["context", "device", "channel", "attribute"]:
                count += 1
                guard count <= Self.attributeLimit else {
                    throw ContextXMLError(message: "more than \(Self.attributeLimit) attributes", offset: 0)
                }
                guard let name = fields["name"], isWord(name) else { continue }
                guard path.count == 4 else {
                    device?.attributes[fields["filename"] ?? name] = Attribute(name: name)
                    continue
                }
                guard let channel else { continue }
                let file = fields["filename"] ?? "\(channel.isOutput ? "out" : "in")_\(channel.id)_\(name)"
                // An attribute that channels share is requested from the first that has it.
                if device?.attributes[file] == nil {
                    device?.attributes[file] = Attribute(channel: channel.id, isOutput: channel.isOutput, name: name)
                }
                if name == "raw" { device?.formats[file] = channel.format }
            default: break
            }
        }
        finishDevice()
        guard hasContext else { throw ContextXMLError(message: "expected <context>", offset: 0) }
    }

    /// Whether a name can be used in a request: libiio's never contain white space.
    private func isWord(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}
