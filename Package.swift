// swift-tools-version: 6.2
import PackageDescription

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "rigready",
    products: [
        .executable(name: "rigready", targets: ["rigready"]),
        .library(name: "Readiness", targets: ["Readiness"]),
        .library(name: "DriverKit", targets: ["DriverKit"]),
        .library(name: "Rig", targets: ["Rig"]),
        .library(name: "SystemServices", targets: ["SystemServices"]),
        .library(name: "RigLocation", targets: ["RigLocation"]),
        .library(name: "RigBluetooth", targets: ["RigBluetooth"]),
        .library(name: "RigMotion", targets: ["RigMotion"]),
        .library(name: "RigHealth", targets: ["RigHealth"]),
    ],
    traits: [
        .trait(name: "IIO", description: "Motion sensors of the Industrial I/O subsystem, local and through libiio."),
        .trait(name: "Bluetooth", description: "Bluetooth controllers through the kernel's management socket."),
        .trait(name: "GPSD", description: "Location receivers through gpsd."),
        .default(enabledTraits: ["IIO", "Bluetooth", "GPSD"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // The house, bottom up: see Sources/README.md.
        .target(name: "Readiness"),
        .target(
            name: "Permissions", dependencies: ["Readiness", "Configuration", system], exclude: ["README.md"]),
        .target(
            name: "DriverKit",
            dependencies: ["Readiness", system]
        ),
        .systemLibrary(
            name: "CZlib", path: "Sources/Recording/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Recording", dependencies: ["Readiness", "DriverKit", "CZlib", system],
            exclude: ["CZlib", "README.md"]),
        .target(name: "Rig", dependencies: ["Readiness", "DriverKit", system]),
        .systemLibrary(
            name: "CYAML", path: "Sources/Configuration/CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"])]),
        .target(name: "Configuration", dependencies: ["Readiness", "CYAML", system], exclude: ["CYAML", "README.md"]),
        .systemLibrary(name: "CMalloc", path: "Sources/rigready/CMalloc"),
        .target(name: "HostApp", dependencies: ["Readiness"], exclude: ["README.md"]),
        .target(
            name: "SystemServices",
            dependencies: ["Readiness", "Permissions", "Configuration", "DriverKit", "Rig", "Bundled", system]),
        // What the libraries with Apple's names share; the executable links none of them.
        .target(
            name: "RigHost",
            dependencies: ["Readiness", "Permissions", "Configuration", "DriverKit", "Rig", "Bundled", system],
            exclude: ["README.md"]),
        .target(
            name: "RigLocation",
            dependencies: [
                "RigHost", "Readiness", "Permissions", "Configuration", "DriverKit", system,
                .target(name: "GPSD", condition: .when(traits: ["GPSD"])),
            ]),
        .target(
            name: "RigBluetooth", dependencies: ["RigHost", "Readiness", "Permissions", "Configuration", system]),
        .target(
            name: "RigMotion",
            dependencies: ["RigHost", "IIOCapture", "Readiness", "Permissions", "Configuration", "DriverKit", system]),
        .target(
            name: "RigHealth",
            dependencies: ["RigHost", "IIOCapture", "Readiness", "Permissions", "Configuration", "DriverKit", system]),
        .executableTarget(
            name: "rigready",
            dependencies: [
                "Readiness", "Permissions", "DriverKit", "Recording", "Rig", "Configuration", "HostApp",
                "SystemServices", "Bundled", "CMalloc",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["CMalloc"],
            resources: [
                .embedInCode("Rigs/demo.jsonl"), .embedInCode("Rigs/field-kit.jsonl"),
                .embedInCode("Rigs/prototype-board.jsonl"),
            ]
        ),

        // The drivers: see Drivers/README.md.
        .systemLibrary(
            name: "CUdev", path: "Drivers/Udev/CUdev", pkgConfig: "libudev",
            providers: [.apt(["libudev-dev"])]),
        .target(name: "Udev", dependencies: ["DriverKit", "CUdev", system], path: "Drivers/Udev", exclude: ["CUdev"]),
        // libiio and libkmod are opened at first use, so nothing here links them.
        .systemLibrary(name: "CIIO", path: "Drivers/IIO/CIIO", providers: [.apt(["libiio-dev"])]),
        .target(name: "IIO", dependencies: ["DriverKit", "CIIO", system], path: "Drivers/IIO", exclude: ["CIIO"]),
        .target(name: "IIOCapture", dependencies: ["IIO", "DriverKit", system], path: "Drivers/IIOCapture"),
        // libbluetooth gives headers only.
        .systemLibrary(
            name: "CBluetooth", path: "Drivers/Bluetooth/CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .target(
            name: "Bluetooth", dependencies: ["DriverKit", "CBluetooth", system], path: "Drivers/Bluetooth",
            exclude: ["CBluetooth"]),
        .target(name: "GPSD", dependencies: ["DriverKit", system], path: "Drivers/GPSD"),
        .target(
            name: "Bundled",
            dependencies: [
                "DriverKit", "Udev", system,
                .target(name: "IIO", condition: .when(traits: ["IIO"])),
                .target(name: "Bluetooth", condition: .when(traits: ["Bluetooth"])),
                .target(name: "GPSD", condition: .when(traits: ["GPSD"])),
            ],
            path: "Drivers/Bundled"
        ),

        .target(
            name: "Support",
            dependencies: ["DriverKit", system],
            path: "Tests/Support"
        ),
        // Live rigs for the tests of what is built on RigHost.
        .target(
            name: "RigSupport", dependencies: ["RigHost", "Rig", "Readiness", "Permissions", "DriverKit", system],
            path: "Tests/RigSupport"),
        // A rig made of memory, to capture from.
        .target(
            name: "CaptureSupport", dependencies: ["IIOCapture", "DriverKit", "Support", system],
            path: "Tests/CaptureSupport"),
        // Counts what is asked of the allocator, for what must ask nothing.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness", "AllocationCount"]),
        .testTarget(
            name: "PermissionsTests", dependencies: ["Permissions", "Configuration", "Readiness", "Support", system]),
        .testTarget(name: "DriverKitTests", dependencies: ["DriverKit", "Readiness", "Support", system]),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["Recording", "Bundled", "Rig", "Permissions", "Readiness", "Support", system]),
        .testTarget(name: "RigTests", dependencies: ["Rig", "Readiness", "Support", system]),
        .testTarget(
            name: "RigHostTests",
            dependencies: [
                "RigHost", "RigSupport", "Rig", "Permissions", "Configuration", "DriverKit", "Readiness", "Support",
                system,
            ]),
        .testTarget(
            name: "RigLocationTests",
            dependencies: [
                "RigLocation", "RigHost", "RigSupport", "Permissions", "DriverKit", "Readiness", "Support", system,
            ]),
        .testTarget(
            name: "RigBluetoothTests",
            dependencies: ["RigBluetooth", "RigHost", "RigSupport", "Permissions", "DriverKit", "Readiness", system]),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Readiness", "Support", system]),
        .testTarget(name: "HostAppTests", dependencies: ["HostApp", "Readiness", "Support"]),
        .testTarget(
            name: "SystemServicesTests",
            dependencies: [
                "SystemServices", "Permissions", "Configuration", "DriverKit", "Readiness", "Support", system,
            ]),
        .testTarget(name: "UdevTests", dependencies: ["Udev", "CUdev", "Support", system]),
        .testTarget(
            name: "IIOTests", dependencies: ["IIO", "IIOCapture", "Udev", "Rig", "Support", "CaptureSupport", system]),
        .testTarget(
            name: "RigMotionTests",
            dependencies: [
                "RigMotion", "RigHost", "RigSupport", "CaptureSupport", "IIO", "IIOCapture", "Permissions", "DriverKit",
                system,
            ]),
        .testTarget(
            name: "RigHealthTests",
            dependencies: [
                "RigHealth", "RigHost", "RigSupport", "CaptureSupport", "IIO", "IIOCapture", "Permissions", "DriverKit",
                system,
            ]),
        .testTarget(name: "BluetoothTests", dependencies: ["Bluetooth", "Support", system]),
        .testTarget(name: "GPSDTests", dependencies: ["GPSD", "Support", system]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "rigready", "Readiness", "Recording", "Support",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "HardwareTests", dependencies: ["Support"], path: "Tests/Hardware",
            exclude: ["README.md", "boot", "build-image", "guest", "scenarios"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzers, built by Scripts/fuzz alone: one program, which takes the parser's name from FUZZ_TARGET.
if Context.environment["RIGREADY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "DriverKit", "Readiness", "Recording", "Configuration", "Permissions", "HostApp", "IIO",
                "IIOCapture", "Bluetooth", "GPSD",
            ],
            path: "Tests/Fuzz", exclude: ["Seeds"]
        ))
}

// What Scripts/bench alone builds: the engine at full speed.
if Context.environment["RIGREADY_BENCH"] != nil {
    package.targets.append(
        .executableTarget(
            name: "EngineBenchmark", dependencies: ["Readiness", "AllocationCount"], path: "Benchmarks/Engine"))
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
