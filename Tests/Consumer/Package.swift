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

    // Names that adopters use for targets of their own.
    .target(name: "Core"),
    .target(name: "Logger", dependencies: ["Core"]),
    .target(name: "Benchmarks"),
    .executableTarget(
      name: "NameClash",
      dependencies: ["Core", "Logger", "Benchmarks", .product(name: "ReeluxLogger", package: "Reelux")]),

    // The default isolation of a new Xcode project.
    .executableTarget(
      name: "MainActorApp",
      dependencies: [
        .product(name: "ReeluxCore", package: "Reelux"), .product(name: "ReeluxFavorites", package: "Reelux"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "MainActorAppTests", dependencies: ["MainActorApp", .product(name: "ReeluxTesting", package: "Reelux")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),

    .testTarget(
      name: "ReadingListTests",
      dependencies: [
        "ReadingList", .product(name: "ReeluxFavorites", package: "Reelux"),
        .product(name: "ReeluxTesting", package: "Reelux"),
      ]),
  ]
)
