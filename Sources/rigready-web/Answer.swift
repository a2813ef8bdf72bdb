#if Web
    import Glibc
    import HTTPTypes

    /// An answer in text, with the fields that every answer has.
    struct Answer: Sendable {
        /// Nothing but the board's own files is loaded or run, and no other page may show it.
        ///
        /// Source: Content Security Policy Level 3.
        private static let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
            frame-ancestors 'none'; base-uri 'none'; form-action 'none'
            """

        let status: HTTPResponse.Status
        let text: String
        let fields: HTTPFields
        private let type: String
        /// The name of the contents of a file that does not change while the program runs; nil for data.
        let tag: String?

        /// An answer that is not kept.
        init(
            _ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields = [:],
            type: String = "text/plain; charset=utf-8"
        ) {
            (self.status, self.text, self.fields, self.type, tag) = (status, text, fields, type, nil)
        }

        /// A file, which a browser keeps and asks about.
        init(_ status: HTTPResponse.Status, _ text: String, file type: String) {
            (self.status, self.text, fields, self.type) = (status, text, [:], type)
            // FNV-1a.
            let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            tag = "\"\(String(hash, radix: 16))\""
        }

        var headers: HTTPFields {
            var headers = headersWithoutLength
            headers[.contentLength] = String(text.utf8.count)
            if status == .notModified { headers[.contentLength] = nil }
            return headers
        }

        var headersWithoutLength: HTTPFields {
            var headers: HTTPFields = [
                .contentType: type, .cacheControl: tag == nil ? "no-store" : "no-cache",
                .contentSecurityPolicy: Self.policy,
                .xContentTypeOptions: "nosniff", .date: Self.now,
            ]
            for (name, value) in [
                ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ] {
                if let name = HTTPField.Name(name) { headers[name] = value }
            }
            headers[.eTag] = tag
            for field in fields { headers[field.name] = field.value }
            return headers
        }

        /// The time as a field has it.
        ///
        /// Source: RFC 9110, 5.6.7.
        private static var now: String {
            var (time, parts) = (time(nil), unsafe tm())
            _ = unsafe gmtime_r(&time, &parts)
            var text = [CChar](repeating: 0, count: 40)
            // The names of days and months are English, whatever the locale of the user.
            let count = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
#endif
