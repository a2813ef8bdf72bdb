import Linux
package import LocalRig
internal import DriverKit
internal import SystemPackage

/// The secret that a browser exchanges for a cookie: 256 random bits in hexadecimal.
package enum BoardToken {
    private static let digits = 64

    /// A new token, of the kernel's random bits.
    package static func random() -> String {
        (0..<digits).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
    }

    /// The token in a file; one that does not exist is created with a new token, for its owner only (0600).
    ///
    /// Throws if other users may read the file, or own it.
    package static func kept(in file: String) throws(LocalRigError) -> String {
        if InputFile.exists(file, following: true) {
            let expected = "a token of \(digits) hexadecimal digits"
            let bytes = try InputFile.readSecret(file, limit: 256, expecting: expected)
            let text = String(decoding: bytes, as: UTF8.self)
            let token = String(text.hasSuffix("\n") ? text.dropLast() : text[...])
            guard token.utf8.count == digits, token.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw LocalRigError(.unusableFile, "\(file): expected \(expected)")
            }
            return token
        }
        let token = random()
        do {
            try AtomicFile.replace(AtomicFile.target(of: FilePath(file)), with: Array("\(token)\n".utf8))
        } catch {
            throw LocalRigError(.unusableFile, "\(file): \((error as? Errno)?.clause ?? "\(error)")")
        }
        return token
    }

    /// Compares in a time that depends on the lengths only.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
