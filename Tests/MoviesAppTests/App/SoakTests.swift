import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@testable import MoviesApp

/// A long run of the app's store, while features, effects, observers and children are added and removed.
///
/// `REELUX_SOAK` is the number of actions, `REELUX_SEED` the seed of their order. With a number, memory and time are
/// compared too:
///
///     REELUX_SOAK=100000000 swift test -c release -Xswiftc -enable-testing --filter SoakTests
@Suite(.timeLimit(.minutes(600))) struct SoakTests {
  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  /// The number of actions of a long run.
  static let wanted = number("REELUX_SOAK")

  /// A tenth of the run.
  private struct Tenth {
    /// The time of the processors for an action, in nanoseconds: of the store, and of a new store at the same time.
    var old: [Double] = []
    var new: [Double] = []
    /// The time of the processors for all, in seconds.
    var seconds = 0.0
    var kilobytes = 0

    /// The time of an action, divided by that in a new store. Other programs slow both down.
    var slowness: Double { Self.median(old) / Self.median(new) }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  }

  /// The memory that the process occupies, without what the allocator keeps for later.
  private static func kilobytes() -> Int {
    // glibc keeps freed memory of each thread.
    if let symbol = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim") {
      _ = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
    }
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 / 1_000 : 0
  }

  /// The processor time of this process. It does not include other programs, but they make it longer.
  private static func processorSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func makeStore() -> Store<AppAction, AppState> {
    let dependencies = AppDependencies(
      favorites: .mock(), locations: .simulated(BuiltInWalk.track, speed: .max))
    return Store(initialState: AppState(), feature: dependencies.app)
  }

  private static let measuredRounds = 4

  /// The nanoseconds of the processors for an action in each of some rounds, after one that is not measured.
  private static func nanoseconds(_ store: Store<AppAction, AppState>, seed: UInt64) async -> [Double] {
    var random = SplitMix64(seed: seed)
    var times: [Double] = []
    for number in 0...measuredRounds {
      let start = processorSeconds()
      var round = SoakRound(store, seed: random.next())
      await round.run()
      if number > 0 { times.append((processorSeconds() - start) * 1e9 / Double(SoakRound.actions)) }
    }
    return times
  }

  @Test func aStoreIsAfterManyActionsAsItWasBefore() async {
    let rounds = max((Self.wanted ?? SoakRound.actions) / SoakRound.actions, 1)
    let seed = UInt64(Self.number("REELUX_SEED") ?? 1)
    var random = SplitMix64(seed: seed)
    let store = Self.makeStore()
    var tenths: [Tenth] = []
    var done = 0
    var nextMeasure = 10
    for number in 1...10 {
      var tenth = Tenth()
      let start = Self.processorSeconds()
      while done < rounds * number / 10 {
        var round = SoakRound(store, seed: random.next())
        await round.run()
        done += 1
        guard done >= nextMeasure else { continue }
        let seed = random.next()
        tenth.new += await Self.nanoseconds(Self.makeStore(), seed: seed)
        tenth.old += await Self.nanoseconds(store, seed: seed)
        done += 1 + Self.measuredRounds
        nextMeasure += max(rounds / 100, 20)
      }
      tenth.seconds = Self.processorSeconds() - start
      tenth.kilobytes = Self.kilobytes()
      tenths.append(tenth)
      guard !tenth.old.isEmpty else { continue }
      print(
        """
        soak: \(done * SoakRound.actions) actions; \(tenth.kilobytes) kB; \(Int(tenth.seconds)) s of processors; \
        an action takes \(Int(Tenth.median(tenth.old))) ns, in a new store \(Int(Tenth.median(tenth.new))) ns
        """)
      fflush(nil)
    }
    await store.settle()
    #expect(store.effects.running.isEmpty)
    guard rounds >= 200 else { return }
    let (start, end) = (tenths[1], tenths[9])
    print(
      """
      soak: \(done * SoakRound.actions) actions, seed \(seed): \(start.kilobytes) kB after the second tenth, \
      \(end.kilobytes) kB at the end; time of an action, new store = 1: \(start.slowness), \(end.slowness)
      """)
    #expect(end.kilobytes <= start.kilobytes + 4_000, "Memory grows.")
    #expect(end.slowness <= start.slowness * 1.1, "The end is slower than the start.")
  }
}
