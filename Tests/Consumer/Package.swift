// swift-tools-version: 6.2
import PackageDescription

// An app of someone else's that takes one feature. Scripts/test-consumer builds and tests a copy of it outside this
// repository, with the path below replaced by the repository's own.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Reelux", path: "../..")
  ],
  targets: [
    .executableTarget(name: "ReadingList", dependencies: [.product(name: "Favorites", package: "Reelux")]),
    .executableTarget(name: "CoreOnly", dependencies: [.product(name: "Core", package: "Reelux")]),
    .testTarget(
      name: "ReadingListTests",
      dependencies: [
        "ReadingList", .product(name: "Favorites", package: "Reelux"), .product(name: "CoreTesting", package: "Reelux"),
      ]),
  ]
)
