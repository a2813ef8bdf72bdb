internal import Readiness

/// A usage description, and when an app needs it.
struct UsageRow: Sendable {
    /// The key.
    let key: String
    /// Services that list one of these ask for what the text explains.
    let asked: RequirementSet
    /// What the app asks for, in words that follow "asks for".
    let words: String
    /// The newest iOS that needs it; nil for every one.
    let until: IOSVersion?
    /// Whether the store requires it of every app with the SDK, used or not.
    let store: Bool
    /// The minimum length in characters.
    let length: Int
    /// The section of the source.
    let source: String

    init(
        _ key: String, _ asked: RequirementSet, _ words: String, until: IOSVersion? = nil, store: Bool = true,
        length: Int = 1, _ source: String
    ) {
        self.key = key
        self.asked = asked
        self.words = words
        self.until = until
        self.store = store
        self.length = length
        self.source = source
    }
}

/// The name of a type that is used by mistake as the key of a usage description.
struct TypeRow: Sendable {
    let name: String
    /// The key probably intended.
    let meant: String

    init(_ name: String, _ meant: String) {
        self.name = name
        self.meant = meant
    }
}

/// What an app has to declare, row by row as on the pages.
enum AuditTable {
    static let store = "seed 000, Required Permissions"
    static let location = "seed 000, Location Permission, Plist; seed 003, Info.plist Keys"
    static let motion = "seed 000, Motion Permission, .plist; seed 004"
    static let bluetooth = "seed 000, Bluetooth Permission, Plist"
    static let health = "seed 000, Health Permissions; seed 004"
    static let entitlements = "seed 000, Health Permissions, Entitlements"
    static let background = "seed 000, Location Permission, Background Mode"
    static let accuracy = "seed 003, Temporary Full Accuracy"

    // swift-format-ignore
    static let usage: [UsageRow] = {
        let steps: RequirementSet = [.healthStore, .stepsRead]
        let use = "location while in use", always = "location always", iOS10 = IOSVersion(10, 9999)
        return [
            //       key                                             asked for by             words                             seed section
            UsageRow("NSLocationWhenInUseUsageDescription",          .location,           use,                                       location),
            UsageRow("NSLocationAlwaysAndWhenInUseUsageDescription", .backgroundLocation, always,                                    location),
            UsageRow("NSLocationAlwaysUsageDescription",             .backgroundLocation, always,       until: iOS10,                location),
            UsageRow("NSMotionUsageDescription",                     .motion,             "motion",                                  motion),
            UsageRow("NSBluetoothAlwaysUsageDescription",            .bluetooth,          "Bluetooth",                               bluetooth),
            UsageRow("NSBluetoothPeripheralUsageDescription",        .bluetooth,          "Bluetooth",  until: IOSVersion(13), store: false, bluetooth),
            UsageRow("NSHealthShareUsageDescription",                steps,               "the step count",               length: 12, health),
            UsageRow("NSHealthUpdateUsageDescription",               steps,               "the step count",               length: 12, health),
        ]
    }()

    /// The first version with which the store requires the health texts only with the health service (seed 000, Health
    /// Permissions).
    static let healthApart = (major: UInt16(2), minor: UInt16(15))

    /// Keys that only macOS reads, or that are no usage descriptions.
    static let macKey = "NSLocationUsageDescription"
    static let reducedKey = "NSLocationDefaultAccuracyReduced"
    static let temporaryKey = "NSLocationTemporaryUsageDescriptionDictionary"
    static let modesKey = "UIBackgroundModes"
    static let mode = "location"
    static let healthEntitlement = "com.apple.developer.healthkit"
    static let deliveryEntitlement = "com.apple.developer.healthkit.background-delivery"

    /// Every key that the audit reads.
    static let known = usage.map(\.key) + [macKey, reducedKey, temporaryKey, modesKey]

    /// Names of types used as keys: the first two in the example of seed 000.
    static let types = [
        TypeRow("CMMotionActivity", "NSMotionUsageDescription"),
        TypeRow("CLAccuracyAuthorization", temporaryKey),
        TypeRow("CMMotionActivityManager", "NSMotionUsageDescription"),
        TypeRow("CMMotionManager", "NSMotionUsageDescription"),
        TypeRow("CLAuthorizationStatus", "NSLocationWhenInUseUsageDescription"),
        TypeRow("CLLocationManager", "NSLocationWhenInUseUsageDescription"),
        TypeRow("CBCentralManager", "NSBluetoothAlwaysUsageDescription"),
        TypeRow("CBManagerAuthorization", "NSBluetoothAlwaysUsageDescription"),
        TypeRow("HKHealthStore", "NSHealthShareUsageDescription"),
    ]

    /// Usage descriptions for other purposes: similar to a known key, but valid.
    static let others: [String] =
        """
        AppleEvents AppleMusic Calendars CalendarsFullAccess CalendarsWriteOnlyAccess Camera Contacts DesktopFolder \
        DocumentsFolder DownloadsFolder FaceID FallDetection FileProviderDomain FileProviderPresence FocusStatus \
        GKFriendList HandsTracking HealthClinicalHealthRecordsShare HomeKit Identity LocalNetwork MainCamera Microphone \
        NearbyInteraction NearbyInteractionAllowOnce NetworkVolumes PhotoLibrary PhotoLibraryAdd Reminders \
        RemindersFullAccess RemovableVolumes SensorKit Siri SpeechRecognition SystemAdministration SystemExtension \
        UserTracking VideoSubscriberAccount WorldSensing
        """.split(separator: " ").map { "NS\($0)UsageDescription" } + [
            "NFCReaderUsageDescription", "OSBundleUsageDescription",
        ]
}
