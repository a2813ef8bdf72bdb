/// The declarations of an app: its Info.plist, its entitlements, or both.
package struct AppDeclarations: Sendable {
    /// The keys of Info.plist; nil if it was not read.
    package var information: [String: PropertyList]?
    /// The entitlements; nil if they were not read.
    package var entitlements: [String: PropertyList]?
    /// Whether the app is linked with the SDK's health add-on; nil if unknown, as it is of a static library.
    package var linksHealth: Bool?

    package init(
        information: [String: PropertyList]? = nil, entitlements: [String: PropertyList]? = nil,
        linksHealth: Bool? = nil
    ) {
        self.information = information
        self.entitlements = entitlements
        self.linksHealth = linksHealth
    }

    /// Whether a dictionary is one of entitlements: its keys are identifiers, unlike those of Info.plist.
    package static func areEntitlements(_ keys: some Collection<String>) -> Bool {
        !keys.isEmpty
            && keys.allSatisfy { key in
                ["com.apple.", "aps-", "beta-"].contains(where: key.hasPrefix)
                    || ["application-identifier", "get-task-allow", "keychain-access-groups"].contains(key)
            }
    }

    /// The oldest iOS that the app is built for, by `MinimumOSVersion`; nil if it is missing or set by the build.
    var minimumIOS: IOSVersion? { information?["MinimumOSVersion"]?.text.flatMap(IOSVersion.init) }

    var isForMac: Bool { platforms?.contains("MacOSX") ?? (information?["LSMinimumSystemVersion"] != nil) }

    /// Whether the app is for tvOS or visionOS, which do not offer location always (Apple,
    /// `requestAlwaysAuthorization()`, Availability).
    var isWithoutAlways: Bool {
        guard let platforms, !platforms.isEmpty else { return false }
        return platforms.allSatisfy { ["AppleTVOS", "AppleTVSimulator", "XROS", "XRSimulator"].contains($0) }
    }

    /// The platforms of a built app; nil if they are not stated.
    private var platforms: [String]? {
        guard case .list(let names) = information?["CFBundleSupportedPlatforms"] else { return nil }
        return names.compactMap(\.text)
    }
}

/// A version of iOS, such as `13` or `10.3`; numbers after the second are ignored.
package struct IOSVersion: Sendable, Comparable, CustomStringConvertible {
    /// The second number is 0 if missing.
    package let major, minor: Int

    package init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Parses one to three numbers; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.map { part in part.allSatisfy(\.isNumber) && part.count <= 4 ? Int(part) : nil }
        guard 1...3 ~= numbers.count, !numbers.contains(nil), let major = numbers[0] else { return nil }
        self.init(major, numbers.count > 1 ? numbers[1] ?? 0 : 0)
    }

    package var description: String { "\(major).\(minor)" }

    package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.major, lhs.minor) < (rhs.major, rhs.minor) }
}
