import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@testable import MoviesApp

/// The app's store for a long time, while features, effects, observers and children come and go.
///
/// `REELUX_SOAK` says how many actions. Then memory and time are compared too:
///
///     REELUX_SOAK=100000000 swift test -c release -Xswiftc -enable-testing --filter SoakTests
@Suite(.timeLimit(.minutes(600))) struct SoakTests {
  private static let wanted = ProcessInfo.processInfo.environment["REELUX_SOAK"].flatMap { Int($0) }

  private struct Broken: Error {}

  /// An effect that fails, one that never ends, and one whose answer is dropped because it is cancelled.
  private static func nuisance() -> Feature<AppAction, AppState> {
    Feature(
      middleware: Middleware { action, _, _ in
        guard case .cinemas = action else { return .none }
        return .task(catch: { _ in nil }) { throw Broken() }
          <> .run { _ in for await _ in AsyncStream<Int>(unfolding: { await Self.never() }) {} }
          .cancellable(id: "endless", cancelInFlight: true)
      })
  }

  /// Waits until its task is cancelled.
  private static func never() async -> Int? {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    return await withTaskCancellationHandler {
      for await _ in stream {}
      return nil
    } onCancel: {
      continuation.finish()
    }
  }

  private static func round(_ number: Int, _ store: Store<AppAction, AppState>, actions: Int) async {
    let installation = store.install(nuisance())
    let observer = store.select(\.cinemas).subscribe { _ in }
    store.dispatch(.cinemas(.look(at: BuiltInWalk.start, radius: Double(number % 900))))
    let favorite = store.dispatch(.favorites(.toggle("metropolis-1927")))
    installation.remove()
    do {
      let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 }) { _ in nil }
      let watch = child.subscribe { _ in }
      for amount in 0..<10 { child.dispatch(amount) }
      #expect(child.state.local == 45)
      watch.cancel()
    }
    for index in 0..<max(actions - 12, 0) {
      store.dispatch(.cinemas(.look(at: BuiltInWalk.start, radius: Double(index % 900))))
    }
    await favorite.finish()
    withExtendedLifetime(observer) {}
  }

  private static func megabytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 / 1_000_000 : 0
  }

  /// The time that this process has used on processors: what else the machine does, does not count.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func aStoreIsAfterManyActionsAsItWasBefore() async {
    let count = Self.wanted ?? 4_000
    let dependencies = AppDependencies(
      favorites: .mock(), locations: .simulated(BuiltInWalk.track, speed: .max))
    let store = Store(initialState: AppState(), feature: dependencies.app)
    let (perRound, rounds) = (1_000, max(count / 1_000, 1))
    var tenths: [Double] = []
    var memory: [Int] = []
    for tenth in 0..<10 {
      let start = Self.processorSeconds()
      for number in (rounds * tenth / 10)..<(rounds * (tenth + 1) / 10) {
        await Self.round(number, store, actions: perRound)
      }
      tenths.append(Self.processorSeconds() - start)
      memory.append(Self.megabytes())
    }
    await store.settle()
    #expect(store.effects.running.isEmpty)
    guard Self.wanted != nil else { return }
    print(
      "soak: \(count) actions; megabytes \(memory); seconds of processor \(tenths.map { ($0 * 100).rounded() / 100 })")
    #expect(memory[9] <= memory[1] + 8, "Memory grows.")
    #expect(tenths[9] <= tenths[1] * 1.1, "The end is slower than the start.")
  }
}
