// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "phone-app",
    dependencies: [.package(name: "rigready", path: "../..")],
    targets: [
        .executableTarget(
            name: "phone-app",
            dependencies: [
                .product(name: "RigLocation", package: "rigready"), .product(name: "RigBluetooth", package: "rigready"),
                .product(name: "RigMotion", package: "rigready"),
            ]),
        .executableTarget(
            name: "motion-app",
            dependencies: [
                .product(name: "RigMotion", package: "rigready"), .product(name: "RigHealth", package: "rigready"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
