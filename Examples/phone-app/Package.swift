// swift-tools-version: 6.2
import PackageDescription

let phone: Target.Dependency = .product(name: "Phone", package: "rigready")

let package = Package(
    name: "phone-app",
    dependencies: [.package(name: "rigready", path: "../..")],
    targets: [
        .executableTarget(name: "phone-app", dependencies: [phone]),
        .executableTarget(name: "motion-app", dependencies: [phone]),
    ],
    swiftLanguageModes: [.v6]
)
