import LocalRig
import Configuration
import AppAudit
import SystemPackage

/// Finds and reads the files that declare an app.
struct AppFiles {
    private(set) var app = AppDeclarations()

    /// Reads the file or folder at a path, and a file of entitlements; throws a `CommandFailure` with the place of the
    /// error.
    init(_ path: String, entitlements: String?) throws {
        if Self.isFolder(path) {
            let contents = path + (path.hasSuffix("/") ? "" : "/")
            // An app for iOS has it at its root, one for macOS in Contents.
            guard
                let root = ["", "Contents/"].map({ contents + $0 }).first(where: { InputFile.exists($0 + "Info.plist") }
                )
            else {
                throw CommandFailure(
                    .badFile, "\(path): expected an .app folder with an Info.plist in it, found a folder without")
            }
            app.information = try Self.dictionary(of: root + "Info.plist", expecting: "an Info.plist")
            // Only old builds leave them next to it.
            let archived = root + "archived-expanded-entitlements.xcent"
            if entitlements == nil, InputFile.exists(archived) {
                app.entitlements = try Self.dictionary(of: archived, expecting: "entitlements")
            }
        } else {
            let keys = try Self.dictionary(of: path, expecting: "an Info.plist, an .app folder or entitlements")
            let isNamedSo = [".entitlements", ".xcent"].contains { path.hasSuffix($0) }
            if isNamedSo || AppDeclarations.areEntitlements(keys.keys) {
                guard entitlements == nil else {
                    throw CommandFailure(
                        .usage, "\(path) is an entitlements file itself; --entitlements is only for an Info.plist.")
                }
                app.entitlements = keys
            } else {
                app.information = keys
            }
        }
        if let entitlements {
            app.entitlements = try Self.dictionary(of: entitlements, expecting: "entitlements")
        }
    }

    private static func dictionary(of file: String, expecting: String) throws -> [String: PropertyList] {
        let expected = "\(expecting) as an XML or binary property list"
        let bytes = try InputFile.read(file, limit: PropertyList.limit, expecting: expected)
        let value: PropertyList
        do throws(PropertyListError) {
            value = try PropertyList(parsing: bytes, file: file)
        } catch {
            throw CommandFailure(.badFile, error.description)
        }
        guard let entries = value.entries else {
            throw CommandFailure(.badFile, "\(file): expected a dictionary, found \(value.words)")
        }
        return entries
    }

    private static func isFolder(_ path: String) -> Bool { (try? Stat(FilePath(path)))?.type == .directory }
}
