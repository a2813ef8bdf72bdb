/// The declarations of an app: its Info.plist, its entitlements, or both.
public struct AppDeclarations: Sendable {
    /// The keys of Info.plist; nil if it was not read.
    public var information: [String: PropertyList]?
    /// The entitlements; nil if they were not read.
    public var entitlements: [String: PropertyList]?

    /// Creates the declarations of an app.
    public init(information: [String: PropertyList]? = nil, entitlements: [String: PropertyList]? = nil) {
        self.information = information
        self.entitlements = entitlements
    }

    /// Whether a dictionary is one of entitlements: its keys are identifiers, unlike those of Info.plist.
    public static func areEntitlements(_ keys: some Collection<String>) -> Bool {
        !keys.isEmpty
            && keys.allSatisfy {
                $0.hasPrefix("com.apple.")
                    || ["application-identifier", "get-task-allow", "keychain-access-groups"]
                        .contains($0)
                    || $0.hasPrefix("aps-") || $0.hasPrefix("beta-")
            }
    }

    /// The oldest iOS that the app is built for, by `MinimumOSVersion`; nil if it is missing or set by the build.
    var minimumIOS: IOSVersion? { information?["MinimumOSVersion"]?.text.flatMap(IOSVersion.init) }

    /// Whether it is an app for macOS.
    var isForMac: Bool {
        guard let information else { return false }
        if case .list(let platforms) = information["CFBundleSupportedPlatforms"] {
            return platforms.contains(.text("MacOSX"))
        }
        return information["LSMinimumSystemVersion"] != nil
    }
}
