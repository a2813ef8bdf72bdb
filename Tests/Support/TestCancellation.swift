// Swift Testing has this from 6.3 on.
#if compiler(<6.3)
    public import Testing

    extension Test {
        /// Ends the test that lacks something.
        ///
        /// Before Swift 6.3 a test cannot be cancelled: it fails, and says what it lacks.
        /// - Throws: Always.
        public static func cancel(_ reason: String) throws -> Never { throw Missing(description: reason) }

        private struct Missing: Error, CustomStringConvertible {
            let description: String
        }
    }
#endif
