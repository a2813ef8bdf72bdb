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
    ],
    traits: [
        .trait(name: "IIO", description: "Motion sensors of the Industrial I/O subsystem, local and through libiio."),
        .trait(name: "Bluetooth", description: "Bluetooth controllers through the kernel's management socket."),
        .trait(name: "GPSD", description: "Location receivers through gpsd."),
        .default(enabledTraits: ["IIO", "Bluetooth", "GPSD"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
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
        .executableTarget(
            name: "rigready",
            dependencies: [
                "Readiness", "Permissions", "DriverKit", "Recording", "Rig", "Configuration", "Bundled",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
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
        .testTarget(name: "ReadinessTests", dependencies: ["Readiness"]),
        .testTarget(
            name: "PermissionsTests", dependencies: ["Permissions", "Configuration", "Readiness", "Support", system]),
        .testTarget(name: "DriverKitTests", dependencies: ["DriverKit", "Readiness", "Support", system]),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["Recording", "Bundled", "Rig", "Permissions", "Readiness", "Support", system]),
        .testTarget(name: "RigTests", dependencies: ["Rig", "Readiness", "Support", system]),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Readiness", "Support", system]),
        .testTarget(name: "UdevTests", dependencies: ["Udev", "Support", system]),
        .testTarget(name: "IIOTests", dependencies: ["IIO", "Udev", "Rig", "Support", system]),
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
            dependencies: ["DriverKit", "Readiness", "Recording", "Configuration", "IIO", "Bluetooth", "GPSD"],
            path: "Tests/Fuzz"
        ))
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
