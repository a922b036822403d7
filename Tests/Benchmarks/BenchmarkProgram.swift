import Foundation

@main
struct BenchmarkProgram {
  static let groups: [Group] = [
    .dispatch, .observers, .manyFeatures, .producers, .largeArray, .roundTrip,
    .outsideEffect, .parts, .eachElement, .logger,
  ]

  /// The workloads that run only if they are named, and that print their own lines.
  private static let extras = ["memory", "rows", "flood", "latency", "contention"]

  static func main() {
    do {
      var options = try Options(CommandLine.arguments.dropFirst())
      if options.help {
        print(Options.usage)
        return
      }
      try options.resolveNames(groups.flatMap(\.comparisons).map(\.workload) + extras)
      let isGood = try options.soak.map(soak) ?? compare(options)
      if options.checks, !isGood { exit(1) }
    } catch let error as UsageError {
      fail(error, code: 64)
    } catch {
      fail(error, code: 1)
    }
  }

  /// Runs the requested workloads. Returns whether every target is met.
  private static func compare(_ options: Options) throws -> Bool {
    var isGood = true
    if options.isWanted("memory", isExtra: true) {
      let size = Memory.sizeOfStore()
      isGood = size.map { $0 < 10_000 } ?? true
      print("a store with three features: \(size.map { "\($0) bytes" } ?? "not counted here") (target: under 10000)")
    }
    let figures = try MainActor.assumeIsolated {
      (options.isWanted("rows", isExtra: true) ? try RowsBenchmark.run() : [])
        + (options.isWanted("flood", isExtra: true) ? try FloodBenchmark.run() : [])
        + (options.isWanted("latency", isExtra: true) ? try LatencyBenchmark.run() : [])
        + (options.isWanted("contention", isExtra: true) ? try ContentionBenchmark.run() : [])
    }
    for line in figures { print(line) }
    if Set(options.only).isSubset(of: extras), !options.only.isEmpty { return isGood }
    let runner = Runner(options: options)
    let report = Report(json: options.json, file: try options.jsonFile.map(create))
    report.begin()
    for group in groups {
      for row in try runner.run(group) {
        report.write(row)
        if row.isMet == false { isGood = false }
      }
    }
    return isGood
  }

  /// Sends many actions to one store. Returns whether the memory of the process did not grow.
  private static func soak(_ actions: Int) throws -> Bool {
    print("     actions  resident KiB")
    let isGood = try Memory.soak(actions) { sent, kibibytes in
      print(String(format: "%12ld  %12ld", sent, kibibytes))
      fflush(nil)
    }
    print(isGood ? "memory does not grow" : "memory grows")
    return isGood
  }

  private static func create(_ path: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw UsageError(description: "'\(path)' cannot be written")
    }
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  private static func fail(_ error: any Error, code: Int32) -> Never {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(code)
  }
}
