// swift-tools-version: 6.2
import PackageDescription

func rigready(_ product: String) -> Target.Dependency { .product(name: product, package: "rigready") }

let package = Package(
    name: "pedometer",
    // Without traits: this driver needs none of RigReady's drivers.
    dependencies: [
        .package(name: "rigready", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .target(name: "Pedometer", dependencies: [rigready("DriverKit")]),
        .executableTarget(
            name: "pedometer-check",
            dependencies: [
                "Pedometer", rigready("DriverKit"), rigready("LocalRig"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
