// swift-tools-version: 6.2
import PackageDescription

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let web = TargetDependencyCondition.when(traits: ["Web"])

let package = Package(
    name: "rigready",
    products: [
        .executable(name: "rigready", targets: ["rigready"]),
        .executable(name: "rigready-web", targets: ["rigready-web"]),
        .library(name: "Readiness", targets: ["Readiness"]),
        .library(name: "Measurement", targets: ["Measurement"]),
        .library(name: "DriverKit", targets: ["DriverKit"]),
        .library(name: "Permissions", targets: ["Permissions"]),
        .library(name: "DriverTesting", targets: ["DriverTesting"]),
        .library(name: "Linux", targets: ["Linux"]),
        .library(name: "Probing", targets: ["Probing"]),
        .library(name: "Recording", targets: ["Recording"]),
        .library(name: "LocalRig", targets: ["LocalRig"]),
        .library(name: "Rendering", targets: ["Rendering"]),
        .library(name: "SystemServices", targets: ["SystemServices"]),
        .library(name: "RigLocation", targets: ["RigLocation"]),
        .library(name: "RigBluetooth", targets: ["RigBluetooth"]),
        .library(name: "RigMotion", targets: ["RigMotion"]),
        .library(name: "RigHealth", targets: ["RigHealth"]),
    ],
    traits: [
        .trait(name: "IIO", description: "Motion sensors of the Industrial I/O subsystem, local and through libiio."),
        .trait(name: "Evdev", description: "Motion sensors among the input devices, such as game controllers."),
        .trait(name: "Bluetooth", description: "Bluetooth controllers through the kernel's management socket."),
        .trait(name: "GPSD", description: "Location receivers through gpsd."),
        .trait(name: "Web", description: "The program rigready-web, which serves the report as a page."),
        .default(enabledTraits: ["IIO", "Evdev", "Bluetooth", "GPSD"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // Only for the trait Web: SwiftPM fetches none of these without it. Their own traits would bring in Foundation.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // The modules, bottom up: see Documentation/architecture.md.
        .target(name: "Readiness"),
        .systemLibrary(
            name: "CYAML", path: "Sources/ConfigurationFiles/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "ConfigurationFiles", dependencies: ["Readiness", "Measurement", "DriverKit", "CYAML", system],
            exclude: ["CYAML", "README.md"]),
        .target(
            name: "Permissions", dependencies: ["Readiness", "ConfigurationFiles", "DriverKit", system],
            exclude: ["README.md"]),
        .systemLibrary(name: "CGlibc", path: "Sources/DriverKit/CGlibc"),
        .target(name: "DriverKit", dependencies: ["Readiness", "Measurement", "CGlibc", system], exclude: ["CGlibc"]),
        .systemLibrary(
            name: "CUdev", path: "Sources/Linux/CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        // libkmod is opened at first use, so nothing here links it.
        .target(name: "Linux", dependencies: ["DriverKit", "CUdev", system], exclude: ["CUdev"]),
        .target(name: "Probing", dependencies: ["Readiness", "DriverKit", system]),
        .systemLibrary(
            name: "CZlib", path: "Sources/Recording/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Recording", dependencies: ["Readiness", "DriverKit", "CZlib", system],
            exclude: ["CZlib", "README.md"]),
        .target(name: "Measurement", dependencies: ["Readiness"]),
        .target(name: "Rendering", dependencies: ["Readiness", "Measurement"]),
        // KissFFT is opened at first use, so nothing here links it.
        .target(
            name: "MeasurementExport",
            dependencies: ["Readiness", "Measurement", "Rendering", "DriverKit", "Linux", system]),
        .target(
            name: "LocalRig",
            dependencies: [
                "Readiness", "Measurement", "Permissions", "ConfigurationFiles", "DriverKit", "Linux", "Probing",
                "Recording",
                system,
                .target(name: "IIO", condition: .when(traits: ["IIO"])),
                .target(name: "IIOCapture", condition: .when(traits: ["IIO"])),
                .target(name: "Evdev", condition: .when(traits: ["Evdev"])),
                .target(name: "Bluetooth", condition: .when(traits: ["Bluetooth"])),
                .target(name: "GPSD", condition: .when(traits: ["GPSD"])),
            ],
            resources: [
                .embedInCode("Rigs/demo.jsonl"), .embedInCode("Rigs/demo-capture.jsonl.gz"),
                .embedInCode("Rigs/field-kit.jsonl"),
                .embedInCode("Rigs/prototype-board.jsonl"),
            ]),

        // libmosquitto is opened at first use, so nothing here links it.
        .target(
            name: "Fleet",
            dependencies: [
                "Readiness", "ConfigurationFiles", "DriverKit", "Linux", "LocalRig", "Rendering", "CGlibc", system,
            ]),

        // The drivers: see Drivers/README.md.
        // libiio is opened at first use, so nothing here links it.
        .target(name: "IIO", dependencies: ["DriverKit", "Measurement", "Linux", system], path: "Drivers/IIO"),
        .target(name: "Evdev", dependencies: ["DriverKit", "Linux", "Readiness", system], path: "Drivers/Evdev"),
        // libbluetooth gives headers only.
        .systemLibrary(
            name: "CBluetooth", path: "Drivers/Bluetooth/CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .target(
            name: "Bluetooth", dependencies: ["DriverKit", "Measurement", "Linux", "CBluetooth", system],
            path: "Drivers/Bluetooth",
            exclude: ["CBluetooth"]),
        .target(name: "GPSD", dependencies: ["DriverKit", "Measurement", "Linux", system], path: "Drivers/GPSD"),

        // The contract of drivers, for their tests.
        .target(name: "DriverTesting", dependencies: ["DriverKit", "Readiness", system]),

        // What stands for a phone: see Sources/Phone/README.md.
        // Captures continuously: for measurements, and for what stands for a phone.
        .target(
            name: "IIOCapture", dependencies: ["IIO", "DriverKit", "Measurement", "Linux", "Readiness", system]),
        .target(name: "HealthTypes", path: "Sources/Phone/HealthTypes"),
        .target(
            name: "SystemServices",
            dependencies: [
                "HealthTypes", "Readiness", "Permissions", "ConfigurationFiles", "DriverKit", "Linux", "Probing",
                "LocalRig",
                system,
            ],
            path: "Sources/Phone/SystemServices"),
        .target(
            name: "PhoneKit",
            dependencies: [
                "Readiness", "Permissions", "ConfigurationFiles", "DriverKit", "Linux", "Probing", "LocalRig", system,
            ],
            path: "Sources/Phone/PhoneKit", exclude: ["README.md"]),
        .target(
            name: "RigLocation",
            dependencies: [
                "PhoneKit", "Readiness", "Permissions", "ConfigurationFiles", "DriverKit", system,
                .target(name: "GPSD", condition: .when(traits: ["GPSD"])),
            ],
            path: "Sources/Phone/RigLocation"),
        .target(
            name: "RigBluetooth", dependencies: ["PhoneKit", "Readiness", "Permissions", "ConfigurationFiles", system],
            path: "Sources/Phone/RigBluetooth"),
        .target(
            name: "RigMotion",
            dependencies: [
                "PhoneKit", "IIOCapture", "Readiness", "Permissions", "ConfigurationFiles", "DriverKit", system,
            ],
            path: "Sources/Phone/RigMotion"),
        .target(
            name: "RigHealth",
            dependencies: [
                "HealthTypes", "PhoneKit", "IIOCapture", "Readiness", "Permissions", "ConfigurationFiles", "DriverKit",
                system,
            ],
            path: "Sources/Phone/RigHealth"),
        .target(name: "AppAudit", dependencies: ["Readiness"], exclude: ["README.md"]),

        .executableTarget(
            name: "rigready",
            dependencies: [
                "Readiness", "Permissions", "DriverKit", "Linux", "Recording", "Probing", "ConfigurationFiles",
                "AppAudit",
                "SystemServices", "LocalRig", "Measurement", "MeasurementExport", "Rendering", "Fleet", "CGlibc",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // The page of a rig, as it changes. What serves it over HTTP is in the program.
        .target(
            name: "Board",
            dependencies: [
                "Readiness", "Measurement", "ConfigurationFiles", "LocalRig", "Fleet", "Rendering", "DriverKit",
                "Linux",
                system,
            ],
            resources: [.embedInCode("Files/board.css"), .embedInCode("Files/board.js")]),
        .executableTarget(
            name: "rigready-web",
            dependencies: [
                "Board", "Fleet", "LocalRig", "ConfigurationFiles", "DriverKit", "Linux", "Readiness", "Rendering",
                "CGlibc",
                system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log", condition: web),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: web),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: web),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: web),
                .product(name: "NIOCore", package: "swift-nio", condition: web),
                .product(name: "NIOPosix", package: "swift-nio", condition: web),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: web),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: web),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: web),
            ]),

        .systemLibrary(name: "CSpawn", path: "Tests/Support/CSpawn"),
        .target(
            name: "Support",
            dependencies: ["DriverKit", "Linux", "Readiness", "Rendering", "CSpawn", system],
            path: "Tests/Support", exclude: ["CSpawn"]),
        // Live rigs for the tests of what is built on PhoneKit.
        .target(
            name: "PhoneSupport",
            dependencies: [
                "PhoneKit", "Probing", "Readiness", "Permissions", "ConfigurationFiles", "DriverKit", system,
            ],
            path: "Tests/PhoneSupport"),
        // A rig made of memory, to capture from.
        .target(
            name: "CaptureSupport", dependencies: ["IIOCapture", "DriverKit", "Support", system],
            path: "Tests/CaptureSupport"),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "Support"]),
        .testTarget(
            name: "MeasurementTests", dependencies: ["Measurement", "MeasurementExport", "Rendering", "Readiness"],
            exclude: ["oracles.py"], resources: [.embedInCode("oracles.json")]),
        .testTarget(
            name: "PermissionsTests",
            dependencies: ["Permissions", "ConfigurationFiles", "DriverKit", "Readiness", "Support", system]),
        .testTarget(name: "DriverKitTests", dependencies: ["DriverKit", "Linux", "Readiness", "Support", system]),
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "Recording", "LocalRig", "Probing", "Permissions", "IIO", "Bluetooth", "GPSD", "DriverKit", "Readiness",
                "Support", system,
            ]),
        .testTarget(name: "ProbingTests", dependencies: ["Probing", "Readiness", "Support", system]),
        .testTarget(
            name: "PhoneKitTests",
            dependencies: [
                "PhoneKit", "PhoneSupport", "Probing", "Permissions", "ConfigurationFiles", "DriverKit", "Readiness",
                "Support",
                system,
            ]),
        .testTarget(
            name: "RigLocationTests",
            dependencies: [
                "RigLocation", "PhoneKit", "PhoneSupport", "GPSD", "Permissions", "DriverKit", "Readiness", "Support",
                system,
            ]),
        .testTarget(
            name: "RigBluetoothTests",
            dependencies: ["RigBluetooth", "PhoneKit", "PhoneSupport", "Permissions", "DriverKit", "Readiness", system]),
        .testTarget(
            name: "ConfigurationFilesTests",
            dependencies: ["ConfigurationFiles", "Measurement", "Readiness", "Support", system]),
        .testTarget(name: "BoardTests", dependencies: ["Board", "LocalRig", "DriverKit", "Readiness", "Support"]),
        .testTarget(name: "AppAuditTests", dependencies: ["AppAudit", "Readiness", "Support"]),
        .testTarget(
            name: "SystemServicesTests",
            dependencies: [
                "SystemServices", "RigHealth", "Permissions", "ConfigurationFiles", "DriverKit", "Readiness", "Support",
                system,
            ]),
        .testTarget(
            name: "DriverTestingTests", dependencies: ["DriverTesting", "DriverKit", "Readiness", "Support", system]),
        .testTarget(name: "LinuxTests", dependencies: ["Linux", "CUdev", "Support", system]),
        .testTarget(
            name: "IIOTests",
            dependencies: [
                "IIO", "IIOCapture", "DriverTesting", "Linux", "Probing", "Support", "CaptureSupport", system,
            ]),
        .testTarget(
            name: "RigMotionTests",
            dependencies: [
                "RigMotion", "PhoneKit", "PhoneSupport", "CaptureSupport", "IIO", "IIOCapture", "Measurement",
                "Recording",
                "Permissions", "DriverKit", "Readiness", "Support", system,
            ]),
        .testTarget(
            name: "RigHealthTests",
            dependencies: [
                "RigHealth", "PhoneKit", "PhoneSupport", "CaptureSupport", "IIO", "IIOCapture", "Permissions",
                "DriverKit", "Readiness", system,
            ]),
        .testTarget(
            name: "BluetoothTests", dependencies: ["Bluetooth", "Measurement", "DriverTesting", "Support", system]),
        .testTarget(
            name: "EvdevTests",
            dependencies: [
                "Evdev", "DriverTesting", "DriverKit", "Probing", "Readiness", "Recording", "Support", system,
            ]),
        .testTarget(
            name: "GPSDTests", dependencies: ["GPSD", "Measurement", "DriverTesting", "Support", system],
            exclude: ["Logs"]),
        .testTarget(
            name: "FleetTests",
            dependencies: ["Fleet", "LocalRig", "Rendering", "DriverKit", "Readiness", "Support"]),
        .testTarget(name: "LocalRigTests", dependencies: ["LocalRig", "Readiness", system]),
        // One question, one answer, whichever face is asked.
        .testTarget(
            name: "FacesTests",
            dependencies: [
                "LocalRig", "Rendering", "PhoneKit", "PhoneSupport", "RigLocation", "RigBluetooth", "RigMotion",
                "RigHealth",
                "SystemServices", "Probing", "Permissions", "DriverKit", "Readiness", system,
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "rigready", "LocalRig", "Measurement", "Readiness", "Recording", "Rendering", "Support",
                "Probing", "DriverKit", "ConfigurationFiles", "Fleet",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], exclude: ["browser.py", "tab.py", "typist.py"]),
        .testTarget(
            name: "HardwareTests", dependencies: ["Support"], path: "Tests/Hardware",
            exclude: ["README.md", "boot", "build-image", "guest", "same-answers", "scenarios"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzers, built by Scripts/fuzz alone: one program, which takes the parser's name from FUZZ_TARGET. The program
// itself is a library for them, since no executable can be linked into another.
if Context.environment["RIGREADY_FUZZ"] != nil, let index = package.targets.firstIndex(where: { $0.name == "rigready" })
{
    package.products.removeAll { $0.name == "rigready" }
    package.targets[index] = .target(name: "rigready", dependencies: package.targets[index].dependencies)
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "DriverKit", "Readiness", "Recording", "ConfigurationFiles", "Permissions", "AppAudit", "IIO",
                "IIOCapture", "Evdev", "Bluetooth", "GPSD", "LocalRig", "Measurement", "Rendering", "Fleet", "rigready",
                system,
            ],
            path: "Tests/Fuzz", exclude: ["Seeds", "seeds.py", "coverage.txt"]
        ))
}

// What Scripts/bench alone builds: the engine at full speed.
if Context.environment["RIGREADY_BENCH"] != nil {
    package.targets.append(.target(name: "AllocationCount", path: "Benchmarks/AllocationCount"))
    package.targets.append(
        .executableTarget(
            name: "EngineBenchmark", dependencies: ["Readiness", "AllocationCount"], path: "Benchmarks/Engine",
            // The engine imports nothing, not even what rounds a number.
            linkerSettings: [.linkedLibrary("m")]))
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ]
}

// Thousands of generated captures and every state of the requirements take a minute and a half to test if unoptimized.
if Context.environment["RIGREADY_OPTIMIZED_TESTS"] != nil {
    let names = ["Readiness", "ReadinessTests", "Measurement", "MeasurementTests"]
    for target in package.targets where names.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}

// Its main is not that of the fuzzers.
if let program = package.targets.first(where: { $0.name == "rigready" && $0.type == .regular }) {
    program.swiftSettings?.append(
        .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "rigready_main"]))
}
