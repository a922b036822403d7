// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Reelux",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "ReeluxCore", targets: ["ReeluxCore"]),
    .library(name: "ReeluxDiff", targets: ["ReeluxDiff"]),
    .library(name: "ReeluxUI", targets: ["ReeluxUI"]),
    .library(name: "ReeluxTesting", targets: ["ReeluxTesting"]),
    .library(name: "ReeluxFavorites", targets: ["ReeluxFavorites"]),
    .library(name: "ReeluxLocation", targets: ["ReeluxLocation"]),
    .library(name: "ReeluxLocationSimulation", targets: ["ReeluxLocationSimulation"]),
    .library(name: "ReeluxLogger", targets: ["ReeluxLogger"]),
    .library(name: "ReeluxRecording", targets: ["ReeluxRecording"]),
    .executable(name: "MoviesCLI", targets: ["MoviesCLI"]),
  ],
  targets: [
    // The packages. Arrows point one way: ReeluxCore ← features ← MoviesApp ← MoviesCLI. ReeluxDiff depends on nothing.
    .target(name: "ReeluxCore", path: "Packages/Core/Sources/ReeluxCore"),
    .target(name: "ReeluxUI", dependencies: ["ReeluxCore"], path: "Packages/Core/Sources/ReeluxUI"),
    .target(name: "ReeluxDiff", path: "Packages/Core/Sources/ReeluxDiff"),
    .target(
      name: "ReeluxTesting", dependencies: ["ReeluxCore", "ReeluxDiff"], path: "Packages/Core/Sources/ReeluxTesting"),
    .target(name: "ReeluxFavorites", dependencies: ["ReeluxCore"], path: "Packages/Favorites/Sources/ReeluxFavorites"),
    .target(name: "ReeluxLocation", dependencies: ["ReeluxCore"], path: "Packages/Location/Sources/ReeluxLocation"),
    .target(
      name: "ReeluxLocationSimulation", dependencies: ["ReeluxCore", "ReeluxLocation"],
      path: "Packages/Location/Sources/ReeluxLocationSimulation"),
    .target(
      name: "ReeluxLogger", dependencies: ["ReeluxCore", "ReeluxDiff"], path: "Packages/Logger/Sources/ReeluxLogger"),
    .target(
      name: "ReeluxRecording", dependencies: ["ReeluxCore", "ReeluxDiff", "ReeluxLogger"],
      path: "Packages/Logger/Sources/ReeluxRecording"),

    // The app.
    .target(
      name: "MoviesApp",
      dependencies: [
        "ReeluxCore", "ReeluxDiff", "ReeluxFavorites", "ReeluxLocation", "ReeluxLocationSimulation", "ReeluxLogger",
        "ReeluxRecording",
      ],
      path: "Apps/MoviesCLI/Sources/MoviesApp"),
    .executableTarget(
      name: "MoviesCLI", dependencies: ["MoviesApp"], path: "Apps/MoviesCLI/Sources/MoviesCLI"),

    // One small app twice: its features, and its two user interfaces.
    .target(
      name: "FilmShelf", dependencies: ["ReeluxCore", "ReeluxFavorites"], path: "Apps/FilmShelf/Sources/FilmShelf"),
    .executableTarget(
      name: "FilmShelfTerminal", dependencies: ["FilmShelf", "ReeluxUI", "ReeluxCore", "ReeluxFavorites"],
      path: "Apps/FilmShelf/Sources/FilmShelfTerminal"),
    .executableTarget(
      name: "FilmShelfSwiftUI", dependencies: ["FilmShelf", "ReeluxUI", "ReeluxCore", "ReeluxFavorites"],
      path: "Apps/FilmShelf/Sources/FilmShelfSwiftUI"),

    // What the project's own tests share.
    .target(name: "ReeluxTestSupport", path: "Tests/Support"),

    // One test target per module. The tests of Favorites, Location and Logger see no other feature.
    .testTarget(name: "ReeluxCoreTests", dependencies: ["ReeluxCore", "ReeluxTesting", "ReeluxTestSupport"]),
    .testTarget(
      name: "ReeluxUITests",
      dependencies: ["ReeluxUI", "ReeluxCore", "ReeluxFavorites", "FilmShelf", "ReeluxTestSupport"]),
    .target(name: "FoundationLookalike", path: "Tests/FoundationLookalike"),
    .testTarget(
      name: "ReeluxDiffTests",
      dependencies: ["ReeluxDiff", "ReeluxTesting", "ReeluxTestSupport", "FoundationLookalike"]),
    .testTarget(
      name: "ReeluxTestingTests", dependencies: ["ReeluxCore", "ReeluxDiff", "ReeluxTesting", "ReeluxTestSupport"]),
    .testTarget(
      name: "ReeluxLocationSimulationTests",
      dependencies: [
        "ReeluxLocationSimulation", "ReeluxLocation", "ReeluxLocationTestSupport", "ReeluxCore", "ReeluxTesting",
        "ReeluxTestSupport",
      ]),
    .target(
      name: "ReeluxLocationTestSupport", dependencies: ["ReeluxLocation", "ReeluxCore"],
      path: "Tests/ReeluxLocationTestSupport"),
    .testTarget(
      name: "ReeluxFavoritesTests",
      dependencies: ["ReeluxFavorites", "ReeluxCore", "ReeluxTesting", "ReeluxTestSupport"]),
    .testTarget(
      name: "ReeluxLocationTests",
      dependencies: [
        "ReeluxLocation", "ReeluxLocationTestSupport", "ReeluxCore", "ReeluxTesting", "ReeluxTestSupport",
      ]),
    .testTarget(
      name: "ReeluxLoggerTests",
      dependencies: [
        "ReeluxLogger", "ReeluxLoggerTestSupport", "ReeluxCore", "ReeluxDiff", "ReeluxTesting", "ReeluxTestSupport",
      ]),
    .target(
      name: "ReeluxLoggerTestSupport", dependencies: ["ReeluxLogger", "ReeluxCore"],
      path: "Tests/ReeluxLoggerTestSupport"),
    .testTarget(
      name: "ReeluxRecordingTests",
      dependencies: [
        "ReeluxRecording", "ReeluxFavorites", "ReeluxLogger", "ReeluxLoggerTestSupport", "ReeluxCore", "ReeluxDiff",
        "ReeluxTesting", "ReeluxTestSupport",
      ]),
    .testTarget(
      name: "MoviesAppTests",
      dependencies: [
        "MoviesApp", "ReeluxFavorites", "ReeluxLocation", "ReeluxLocationSimulation", "ReeluxLogger", "ReeluxRecording",
        "ReeluxCore",
        "ReeluxTesting", "ReeluxTestSupport",
      ],
      exclude: ["Screen/Golden"]),
    .testTarget(name: "MoviesCLITests", dependencies: ["MoviesCLI"]),

    // Programs that measure and that break things.
    .executableTarget(
      name: "Benchmarks", dependencies: ["ReeluxCore", "ReeluxUI", "ReeluxLogger"], path: "Tests/Benchmarks"),
    .executableTarget(
      name: "LocationBenchmarks", dependencies: ["ReeluxLocation", "ReeluxLocationSimulation"],
      path: "Tests/LocationBenchmarks"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "ReeluxCore", "ReeluxFavorites", "ReeluxLocation", "ReeluxLocationSimulation", "ReeluxLogger",
        "ReeluxRecording",
        "MoviesApp",
      ],
      path: "Tests/Fuzz"),
    .executableTarget(name: "Mutation", path: "Tests/Reliability/Mutation", exclude: ["Defects"]),
  ],
  swiftLanguageModes: [.v6]
)

// One set of strict settings for every target.
for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
  ]
}
