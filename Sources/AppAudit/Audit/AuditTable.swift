internal import Readiness

/// A usage description, and what makes an app need it.
struct UsageRow: Sendable {
    /// The key.
    let key: String
    /// The services that list one of these ask for what the text explains.
    let asked: RequirementSet
    /// What the app asks for then, in words that follow "asks for".
    let words: String
    /// The newest iOS that still needs it; nil for every one.
    let until: IOSVersion?
    /// Whether the store wants it of every app with the SDK, used or not.
    let store: Bool
    /// The fewest characters.
    let length: Int
    /// The section that says so.
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

/// A key that people write for a usage description, which is the name of a type.
struct TypeRow: Sendable {
    let name: String
    /// The key that is probably meant.
    let meant: String

    init(_ name: String, _ meant: String) {
        self.name = name
        self.meant = meant
    }
}

/// What an app has to declare, row by row as the pages print it.
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

    /// The first version whose store strings for health are needed with the health service alone (seed 000, Health
    /// Permissions).
    static let healthApart = (major: UInt16(2), minor: UInt16(15))

    /// Keys that are read on macOS alone, or say something else than a usage.
    static let macKey = "NSLocationUsageDescription"
    static let reducedKey = "NSLocationDefaultAccuracyReduced"
    static let temporaryKey = "NSLocationTemporaryUsageDescriptionDictionary"
    static let modesKey = "UIBackgroundModes"
    static let mode = "location"
    static let healthEntitlement = "com.apple.developer.healthkit"
    static let deliveryEntitlement = "com.apple.developer.healthkit.background-delivery"

    /// Every key that the audit reads.
    static let known = usage.map(\.key) + [macKey, reducedKey, temporaryKey, modesKey]

    /// Names of types that stand as keys: the first two in the example of seed 000.
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

    /// Usage descriptions of other matters: near to a known key, and meant.
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
