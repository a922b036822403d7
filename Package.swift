// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Reelux",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Core", targets: ["Core"]),
    .library(name: "CoreTesting", targets: ["CoreTesting"]),
    .library(name: "Favorites", targets: ["Favorites"]),
    .library(name: "Location", targets: ["Location"]),
    .library(name: "Logger", targets: ["Logger"]),
    .executable(name: "MoviesCLI", targets: ["MoviesCLI"]),
  ],
  targets: [
    // The packages. Arrows point one way: Core ← features ← MoviesApp ← MoviesCLI.
    .target(name: "Core", path: "Packages/Core/Sources/Core"),
    .target(name: "CoreTesting", dependencies: ["Core"], path: "Packages/Core/Sources/CoreTesting"),
    .target(name: "Favorites", dependencies: ["Core"], path: "Packages/Favorites/Sources/Favorites"),
    .target(name: "Location", dependencies: ["Core"], path: "Packages/Location/Sources/Location"),
    .target(name: "Logger", dependencies: ["Core"], path: "Packages/Logger/Sources/Logger"),

    // The app.
    .target(
      name: "MoviesApp", dependencies: ["Core", "Favorites", "Location", "Logger"],
      path: "Apps/MoviesCLI/Sources/MoviesApp"),
    .executableTarget(
      name: "MoviesCLI", dependencies: ["MoviesApp"], path: "Apps/MoviesCLI/Sources/MoviesCLI"),

    // One test target per module; a feature's tests see its own module, Core and CoreTesting only.
    .testTarget(name: "CoreTests", dependencies: ["Core", "CoreTesting"]),
    .testTarget(name: "CoreTestingTests", dependencies: ["Core", "CoreTesting"]),
    .testTarget(name: "FavoritesTests", dependencies: ["Favorites", "Core", "CoreTesting"]),
    .testTarget(name: "LocationTests", dependencies: ["Location", "Core", "CoreTesting"]),
    .testTarget(name: "LoggerTests", dependencies: ["Logger", "Core", "CoreTesting"]),
    .testTarget(
      name: "MoviesAppTests",
      dependencies: ["MoviesApp", "Favorites", "Location", "Logger", "Core", "CoreTesting"]),
    .testTarget(name: "MoviesCLITests", dependencies: ["MoviesCLI"]),

    // Programs that measure and that break things.
    .executableTarget(name: "Benchmarks", dependencies: ["Core", "Logger"], path: "Tests/Benchmarks"),
    .executableTarget(name: "Fuzz", dependencies: ["Location", "MoviesApp"], path: "Tests/Fuzz"),
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
  ]
}
