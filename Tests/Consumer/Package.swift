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
    .executableTarget(name: "ReadingList", dependencies: [.product(name: "ReeluxFavorites", package: "Reelux")]),
    .executableTarget(name: "CoreOnly", dependencies: [.product(name: "ReeluxCore", package: "Reelux")]),
    .testTarget(
      name: "ReadingListTests",
      dependencies: [
        "ReadingList", .product(name: "ReeluxFavorites", package: "Reelux"),
        .product(name: "ReeluxTesting", package: "Reelux"),
      ]),
  ]
)
