internal import LocalRig
internal import DriverKit
internal import SystemPackage

/// What a client proves itself with; read from the files at each connection, so that they can be replaced.
struct BrokerCredentials: Sendable {
    /// The user's name and password; nil without a password file.
    private(set) var user: (name: String, password: String)?
    let files: BrokerConfiguration

    /// Reads the password file, and checks that the others can be read.
    init(_ configuration: BrokerConfiguration) throws(BrokerError) {
        files = configuration
        if files.passwordFile != nil, let open = files.readableURL, files.urls.contains(where: \.isSecure) {
            throw BrokerError(
                .unusableFile, nil,
                "\(open) has no TLS, so the password would be sent unencrypted when the mqtts:// broker cannot be "
                    + "reached; list only mqtts:// brokers, or only mqtt:// brokers")
        }
        if let file = files.passwordFile { user = try Self.user(in: file) }
        if let file = files.keyFile {
            try rethrowing(
                as: { (error: LocalRigError) in BrokerError(.unusableFile, nil, error.description) },
                try InputFile.checkSecret(file, expecting: "the key of a certificate"))
        }
        for (file, what) in [(files.caFile, "certificates in PEM"), (files.certificateFile, "a certificate in PEM")] {
            if let file { _ = try Self.contents(of: file, expecting: what) }
        }
    }

    private static func user(in file: String) throws(BrokerError) -> (name: String, password: String) {
        let expected = "two lines, the user's name and the password"
        let bytes = try rethrowing(
            as: { (error: LocalRigError) in BrokerError(.unusableFile, nil, error.description) },
            try InputFile.readSecret(file, limit: 1 << 20, expecting: expected))
        let text = String(decoding: bytes, as: UTF8.self)
        // A carriage return and a line feed are one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        // Nothing of the file is repeated in a message.
        guard lines.count == 2 || (lines.count == 3 && lines[2].isEmpty), !lines[0].isEmpty, !lines[1].isEmpty,
            !text.utf8.contains(0)
        else { throw BrokerError(.unusableFile, nil, "\(file): expected \(expected)") }
        return (lines[0], lines[1])
    }

    private static func contents(of file: String, expecting what: String) throws(BrokerError) -> [UInt8] {
        try rethrowing(
            as: { (error: LocalRigError) in BrokerError(.unusableFile, nil, error.description) },
            try InputFile.read(file, limit: 1 << 20, expecting: what))
    }
}
