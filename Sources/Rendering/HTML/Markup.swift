internal import Readiness
/// A piece of HTML, well-formed XML too.
///
/// A text that is put into it is escaped, and its control characters are left out; only another piece is taken as it
/// is. So nothing that a device says can become an element or an attribute.
package struct Markup: ExpressibleByStringInterpolation, Sendable {
    /// The piece as text.
    package let text: String

    /// Takes text that is markup already.
    package init(of text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Builds a piece from its literal parts and what stands between them.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a text, escaped.
        package mutating func appendInterpolation(_ words: String) { text += words.xml }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Adds a piece if there is one.
        package mutating func appendInterpolation(_ piece: Markup?) { text += piece?.text ?? "" }

        /// Adds pieces one after the other.
        package mutating func appendInterpolation(_ pieces: [Markup]) { for piece in pieces { text += piece.text } }
    }
}
