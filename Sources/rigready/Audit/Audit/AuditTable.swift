internal import Readiness

/// A usage description, and when an app needs it.
struct UsageRow: Sendable {
    let key: String
    /// Services that list one of these ask for what the text explains.
    let asked: RequirementSet
    /// What the app asks for, in words that follow "asks for".
    let words: String
    /// The newest iOS that needs it; nil for every one.
    var until: IOSVersion?
    /// The first version of the SDK that has code which asks for it, and a page that says so.
    var since = RulesVersion.version1
    /// The newest iOS for which the store requires it of every app with the SDK, used or not; nil for every one.
    var storeUntil: IOSVersion?
    var length = 1
    let source: String
}

/// What an app has to declare, row by row as on the pages.
enum AuditTable {
    // The pages, by their titles.
    private static let page = "MOVE SDK, Permissions Handling: "
    private static let reference = "Core Location, Authorization & Permissions Reference: "
    private static let person = "C3-PRO, System Service Permissions"
    static let store = page + "Required Permissions"
    static let location = page + "Location Permission, Plist; " + keys
    static let motion = page + "Motion Permission, .plist; " + person
    static let bluetooth = page + "Bluetooth Permission, Plist"
    static let health = page + "Health Permissions; " + person
    static let entitlements = page + "Health Permissions, Entitlements"
    static let background = page + "Location Permission, Background Mode"
    static let accuracy = reference + "Temporary Full Accuracy"
    static let defaultAccuracy = optionalKeys + "; " + page + "CLAccuracyAuthorization"
    static let keys = reference + "Info.plist Keys"
    static let optionalKeys = reference + "Optional Keys"
    static let types = page + "Motion Permission, .plist; " + keys

    // swift-format-ignore
    static let usage: [UsageRow] = {
        let steps: RequirementSet = [.healthStore, .stepsRead]
        let use = "location while in use", always = "location always"
        let iOS10 = IOSVersion(10, 9999), iOS13 = IOSVersion(13)
        return [
            UsageRow(key: "NSLocationWhenInUseUsageDescription",          asked: .location,           words: use,    source: location),
            UsageRow(key: "NSLocationAlwaysAndWhenInUseUsageDescription", asked: .backgroundLocation, words: always, source: location),
            UsageRow(key: "NSLocationAlwaysUsageDescription",             asked: .backgroundLocation, words: always, until: iOS10, source: location),
            UsageRow(key: "NSMotionUsageDescription",                     asked: .motion,             words: "motion", source: motion),
            UsageRow(key: "NSBluetoothAlwaysUsageDescription",            asked: .bluetooth,          words: "Bluetooth", since: .version2(0), source: bluetooth),
            UsageRow(key: "NSBluetoothPeripheralUsageDescription",        asked: .bluetooth,          words: "Bluetooth", until: iOS13, since: .version2(0), storeUntil: iOS13, source: bluetooth),
            UsageRow(key: "NSHealthShareUsageDescription",                asked: steps,               words: "the step count", since: .version2(14), length: 12, source: health),
            UsageRow(key: "NSHealthUpdateUsageDescription",               asked: steps,               words: "the step count", since: .version2(14), length: 12, source: health),
        ]
    }()

    /// The first version with which the store requires the health texts only with the health service (MOVE SDK,
    /// Permissions Handling: Health Permissions).
    static let healthApart = RulesVersion.version2(15)

    /// Keys that only macOS reads, or that are no usage descriptions.
    static let macKey = "NSLocationUsageDescription"
    static let reducedKey = "NSLocationDefaultAccuracyReduced"
    static let temporaryKey = "NSLocationTemporaryUsageDescriptionDictionary"
    static let modesKey = "UIBackgroundModes"
    static let mode = "location"
    static let healthEntitlement = "com.apple.developer.healthkit"
    static let deliveryEntitlement = "com.apple.developer.healthkit.background-delivery"

    static let known = usage.map(\.key) + [macKey, reducedKey, temporaryKey, modesKey]

    /// Names of types used as keys, by the key probably intended: two are in the example of Permissions Handling.
    static let typeNames: KeyValuePairs<String, [String]> = [
        "NSMotionUsageDescription": ["CMMotionActivity", "CMMotionActivityManager", "CMMotionManager"],
        temporaryKey: ["CLAccuracyAuthorization"],
        "NSLocationWhenInUseUsageDescription": ["CLAuthorizationStatus", "CLLocationManager"],
        "NSBluetoothAlwaysUsageDescription": ["CBCentralManager", "CBManagerAuthorization"],
        "NSHealthShareUsageDescription": ["HKHealthStore"],
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
