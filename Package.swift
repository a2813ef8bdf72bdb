// swift-tools-version: 6.2
import PackageDescription

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// A product of another package that only the board's server needs.
func web(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Web"]))
}

/// The types of a C library that is opened at first use, so that nothing links it; `package` has its headers.
func types(_ name: String, in folder: String, _ package: String) -> Target {
    .systemLibrary(name: name, path: "\(folder)/\(name)", providers: [.apt([package])])
}

/// The driver of a trait of the same name.
func driver(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: [name])) }

let package = Package(
    name: "rigready",
    products: [
        .executable(name: "rigready", targets: ["rigready"]),
        .executable(name: "rigready-web", targets: ["rigready-web"]),
        .library(name: "LocalRig", targets: ["LocalRig", "Rendering", "Readiness"]),
        .library(name: "DriverKit", targets: ["DriverKit", "Linux", "DriverTesting", "Readiness"]),
        .library(name: "Phone", targets: ["PhoneKit", "RigLocation", "RigBluetooth", "RigMotion", "RigHealth"]),
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
        .systemLibrary(name: "CGlibc", path: "Sources/DriverKit/CGlibc"),
        .target(name: "DriverKit", dependencies: ["Readiness", "CGlibc", system], exclude: ["CGlibc"]),
        .target(name: "Measurement", dependencies: ["Readiness", "DriverKit"]),
        .systemLibrary(
            name: "CUdev", path: "Sources/Linux/CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        types("CKmod", in: "Sources/Linux", "libkmod-dev"),
        types("CSystemd", in: "Sources/Linux", "libsystemd-dev"),
        .target(
            name: "Linux",
            dependencies: ["Readiness", "DriverKit", "CGlibc", "CUdev", "CKmod", "CSystemd", system],
            exclude: ["CUdev", "CKmod", "CSystemd"]),
        .target(name: "Rendering", dependencies: ["Readiness", "DriverKit", "Measurement"]),

        // The drivers: see Drivers/README.md.
        types("CIIO", in: "Drivers/IIO", "libiio-dev"),
        types("CZstd", in: "Drivers/IIO", "libzstd-dev"),
        .target(
            name: "IIO",
            dependencies: ["Readiness", "DriverKit", "Measurement", "Linux", "CIIO", "CZstd", system],
            path: "Drivers/IIO", exclude: ["CIIO", "CZstd", "README.md"]),
        .target(
            name: "Evdev", dependencies: ["Readiness", "DriverKit", "Linux", system], path: "Drivers/Evdev",
            exclude: ["README.md"]),
        // libbluetooth gives headers only.
        .systemLibrary(
            name: "CBluetooth", path: "Drivers/Bluetooth/CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .target(
            name: "Bluetooth", dependencies: ["Readiness", "DriverKit", "Measurement", "Linux", "CBluetooth", system],
            path: "Drivers/Bluetooth", exclude: ["CBluetooth", "README.md"]),
        .target(
            name: "GPSD", dependencies: ["Readiness", "DriverKit", "Measurement", "Linux", system],
            path: "Drivers/GPSD", exclude: ["README.md"]),
        // The contract of drivers, for their tests.
        .target(name: "DriverTesting", dependencies: ["Readiness", "DriverKit", system]),

        .systemLibrary(
            name: "CYAML", path: "Sources/LocalRig/Configuration/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/LocalRig/Recording/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "LocalRig",
            dependencies: [
                "Readiness", "DriverKit", "Measurement", "Linux", "CYAML", "CZlib", system,
                driver("IIO"), driver("Evdev"), driver("Bluetooth"), driver("GPSD"),
            ],
            exclude: [
                "Configuration/CYAML", "Configuration/README.md", "Permissions/README.md", "Recording/CZlib",
                "Recording/README.md",
            ],
            resources: [
                .embedInCode("Rigs/demo.jsonl"), .embedInCode("Rigs/demo-capture.jsonl.gz"),
                .embedInCode("Rigs/field-kit.jsonl"), .embedInCode("Rigs/prototype-board.jsonl"),
            ]),
        types("CMosquitto", in: "Sources/Fleet", "libmosquitto-dev"),
        .target(
            name: "Fleet",
            dependencies: ["Readiness", "DriverKit", "Linux", "LocalRig", "Rendering", "CMosquitto", system],
            exclude: ["CMosquitto"]),

        // The replacement for a phone: see Sources/Phone/README.md.
        .target(
            name: "PhoneKit", dependencies: ["Readiness", "DriverKit", "Linux", "LocalRig", "CSystemd", system],
            path: "Sources/Phone/PhoneKit", exclude: ["README.md"]),
        .target(
            name: "RigLocation",
            dependencies: ["Readiness", "DriverKit", "LocalRig", "PhoneKit", driver("GPSD"), system],
            path: "Sources/Phone/RigLocation"),
        .target(
            name: "RigBluetooth", dependencies: ["Readiness", "LocalRig", "PhoneKit", system],
            path: "Sources/Phone/RigBluetooth"),
        .target(
            name: "RigMotion", dependencies: ["Readiness", "DriverKit", "IIO", "LocalRig", "PhoneKit", system],
            path: "Sources/Phone/RigMotion"),
        .target(
            name: "RigHealth", dependencies: ["Readiness", "DriverKit", "IIO", "LocalRig", "PhoneKit", system],
            path: "Sources/Phone/RigHealth"),

        // The options of both programs.
        .target(name: "CommandOptions", dependencies: ["DriverKit", "LocalRig", system, arguments]),
        .executableTarget(
            name: "rigready",
            dependencies: [
                "Readiness", "DriverKit", "Measurement", "Linux", "LocalRig", "CommandOptions", "Rendering", "Fleet",
                "PhoneKit", "CGlibc", system, arguments,
            ],
            exclude: ["Audit/README.md"],
            resources: [
                "audit", "comparison", "configuration", "consent", "fleet", "grants", "history", "manifest",
                "measurement", "permissions", "rights", "policy", "recording", "report", "sensors", "services",
            ].map { .embedInCode("Schemas/\($0).schema.json") }),
        .systemLibrary(
            name: "CQREncode", path: "Sources/rigready-web/CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]),
        .executableTarget(
            name: "rigready-web",
            dependencies: [
                "Readiness", "DriverKit", "Measurement", "Linux", "LocalRig", "CommandOptions", "Rendering", "Fleet",
                "CGlibc", "CQREncode", system, arguments,
                web("HummingbirdCore", "hummingbird"), web("HummingbirdTLS", "hummingbird"),
                web("HTTPTypes", "swift-http-types"), web("Logging", "swift-log"), web("NIOCore", "swift-nio"),
                web("NIOPosix", "swift-nio"), web("NIOHTTPTypes", "swift-nio-extras"), web("NIOSSL", "swift-nio-ssl"),
                web("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            exclude: ["CQREncode"],
            resources: [.embedInCode("Board/Files/board.css"), .embedInCode("Board/Files/board.js")]),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: Tests

/// The tests of Tests/NAMETests, which use these modules besides `Readiness`, `DriverKit` and the support of all tests.
func tests(
    _ name: String, of modules: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: ["Readiness", "DriverKit", "Support", system] + modules,
        exclude: exclude, resources: resources)
}

package.targets += [
    .systemLibrary(name: "CSpawn", path: "Tests/Support/CSpawn"),
    .target(
        name: "Support", dependencies: ["Readiness", "DriverKit", "Linux", "Rendering", "CSpawn", system],
        path: "Tests/Support", exclude: ["CSpawn"]),
    // Live rigs for the tests of what is built on PhoneKit.
    .target(
        name: "PhoneSupport", dependencies: ["Readiness", "DriverKit", "Linux", "LocalRig", "PhoneKit", system],
        path: "Tests/PhoneSupport"),
    // A rig made of memory, to capture from.
    .target(
        name: "CaptureSupport", dependencies: ["DriverKit", "IIO", "Support", system], path: "Tests/CaptureSupport"),
    tests("Readiness", of: []),
    tests(
        "Measurement", of: ["Measurement", "Rendering"], exclude: ["oracles.py"],
        resources: [.embedInCode("oracles.json")]),
    tests("DriverKit", of: ["Linux"]),
    tests("DriverTesting", of: ["DriverTesting"]),
    tests("Linux", of: ["Linux", "CUdev"]),
    tests("IIO", of: ["DriverTesting", "IIO", "Linux", "LocalRig", "Measurement", "CaptureSupport"]),
    tests("Evdev", of: ["DriverTesting", "Evdev", "LocalRig"]),
    tests("Bluetooth", of: ["DriverTesting", "Bluetooth", "Measurement"]),
    tests("GPSD", of: ["DriverTesting", "GPSD", "Measurement"], exclude: ["Logs"]),
    tests("Permissions", of: ["Linux", "LocalRig"]),
    tests("Probing", of: ["LocalRig"]),
    tests("Recording", of: ["LocalRig", "IIO", "Bluetooth", "GPSD"]),
    tests("Configuration", of: ["Linux", "LocalRig", "Measurement"]),
    tests("LocalRig", of: ["LocalRig", "Linux"]),
    tests("Fleet", of: ["Fleet", "LocalRig", "Rendering"]),
    tests("PhoneKit", of: ["LocalRig", "PhoneKit", "PhoneSupport", "Linux"]),
    tests("SystemServices", of: ["LocalRig", "PhoneKit", "RigHealth"]),
    tests("RigLocation", of: ["GPSD", "LocalRig", "PhoneKit", "PhoneSupport", "RigLocation"]),
    tests("RigBluetooth", of: ["LocalRig", "PhoneKit", "PhoneSupport", "RigBluetooth"]),
    tests(
        "RigMotion", of: ["IIO", "LocalRig", "Measurement", "PhoneKit", "PhoneSupport", "CaptureSupport", "RigMotion"]),
    tests("RigHealth", of: ["IIO", "LocalRig", "PhoneKit", "PhoneSupport", "CaptureSupport", "RigHealth"]),
    tests("Audit", of: ["rigready"]),
    tests("Board", of: ["LocalRig", "rigready-web"]),
    tests(
        "Command",
        of: [
            "Fleet", "Linux", "LocalRig", "Measurement", "Rendering", "PhoneKit", "PhoneSupport", "RigLocation",
            "RigBluetooth", "RigMotion", "RigHealth", "CommandOptions", "rigready", "rigready-web", arguments,
        ],
        exclude: ["browser.py", "filtered.py", "schemas.py", "tab.py", "typist.py"]),
    .testTarget(
        name: "HardwareTests", dependencies: ["Support"], path: "Tests/Hardware",
        exclude: ["README.md", "boot", "build-image", "guest", "same-answers", "scenarios"]),
]

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

// What no user builds: the scripts say what they want.
switch Context.environment["RIGREADY_BUILD"] {
case "tests":
    // Thousands of generated captures and every state of the requirements take a minute and a half if unoptimized.
    for target in package.targets
    where ["Readiness", "ReadinessTests", "Measurement", "MeasurementTests"].contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
case "fuzzers":
    // One program, which takes the parser's name from FUZZ_TARGET. The program itself is a library for it, since no
    // executable can be linked into another; its main is not that of the fuzzers.
    package.products.removeAll { $0.name == "rigready" }
    guard let index = package.targets.firstIndex(where: { $0.name == "rigready" }) else { break }
    let program = package.targets[index]
    package.targets[index] = .target(
        name: "rigready", dependencies: program.dependencies, exclude: program.exclude, resources: program.resources)
    package.targets[index].swiftSettings =
        (program.swiftSettings ?? []) + [
            .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "rigready_main"])
        ]
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: program.dependencies + ["rigready", "IIO", "Evdev", "Bluetooth", "GPSD"],
            path: "Tests/Fuzz",
            exclude: ["Seeds", "seeds.py", "coverage.txt"], swiftSettings: program.swiftSettings))
case "benchmarks":
    // The engine at full speed.
    package.targets += [
        .target(name: "AllocationCount", path: "Benchmarks/AllocationCount"),
        .executableTarget(
            name: "EngineBenchmark", dependencies: ["Readiness", "AllocationCount"], path: "Benchmarks/Engine",
            // The engine imports nothing, not even what rounds a number.
            linkerSettings: [.linkedLibrary("m")]),
    ]
default: break
}
