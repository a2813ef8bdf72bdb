// swift-tools-version: 6.2
import PackageDescription

let rigready: Target.Dependency = .product(name: "LocalRig", package: "rigready")

let package = Package(
    name: "library",
    dependencies: [.package(name: "rigready", path: "../..")],
    targets: [
        .executableTarget(name: "assess", dependencies: [rigready]),
        .executableTarget(name: "assess-recording", dependencies: [rigready]),
    ],
    swiftLanguageModes: [.v6]
)
