// swift-tools-version: 6.2
import PackageDescription

// An adopter's app that uses one feature. Scripts/test-consumer builds and tests a copy of it outside of this
// repository, and replaces the path below by the repository's path.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Reelux", path: "../..")
  ],
  targets: [
    .executableTarget(name: "ReadingList", dependencies: [.product(name: "ReeluxFavorites", package: "Reelux")]),
    .executableTarget(name: "CoreOnly", dependencies: [.product(name: "ReeluxCore", package: "Reelux")]),
    .executableTarget(name: "DiffOnly", dependencies: [.product(name: "ReeluxDiff", package: "Reelux")]),

    // Target names that adopters use themselves.
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
      name: "MainActorAppTests",
      dependencies: [
        "MainActorApp", .product(name: "ReeluxRecording", package: "Reelux"),
        .product(name: "ReeluxTesting", package: "Reelux"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]),

    .testTarget(
      name: "ReadingListTests",
      dependencies: [
        "ReadingList", .product(name: "ReeluxFavorites", package: "Reelux"),
        .product(name: "ReeluxTesting", package: "Reelux"),
      ]),
  ]
)
