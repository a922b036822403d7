import Dispatch
import Foundation
import ReeluxCore
import ReeluxFavorites
import Testing

@testable import MoviesApp

/// Thousands of actions of a store. The seed gives the order of what is added and removed meanwhile.
struct SoakRound {
  static let actions = 5_000

  private enum Visitor: CaseIterable {
    case failingFeature, observer, child, request, waitingEffect, blockedEffect, blockedObserver
  }

  private struct Broken: Error {}

  /// Swift Testing keeps a backtrace for each object that is thrown, and the memory for them grows. So this one is
  /// thrown again and again.
  private static let broken: any Error = Broken()

  private let store: Store<AppAction, AppState>
  private var random: SplitMix64

  init(_ store: Store<AppAction, AppState>, seed: UInt64) {
    self.store = store
    random = SplitMix64(seed: seed)
  }

  /// Dispatches the actions, and returns when all of their effects have ended.
  mutating func run() async {
    var left = Self.actions
    for visitor in Visitor.allCases.shuffled(using: &random) {
      switch visitor {
      case .failingFeature: left -= failingFeature()
      case .observer: left -= observer()
      case .child: left -= await child()
      case .request: left -= await request()
      case .waitingEffect: left -= await waitingEffect()
      case .blockedEffect: left -= await blockedEffect()
      case .blockedObserver: left -= await blockedObserver()
      }
    }
    for index in 0..<left { look(Double(index % 900)) }
    await store.settle()
    #expect(store.state.cinemas.view?.radius == Double((left - 1) % 900))
  }

  @discardableResult private func look(_ radius: Double) -> ActionTask {
    store.dispatch(.cinemas(.show(at: BuiltInWalk.start, radius: radius)))
  }

  /// An effect that fails, and one that never ends, until their feature is removed.
  private func failingFeature() -> Int {
    let installation = store.install(
      Feature<AppAction, AppState>(
        middleware: Middleware { action, _, _ in
          guard case .cinemas = action else { return .none }
          return .task(catch: { _ in nil }) { throw Self.broken }
            <> .run { _ in for await _ in AsyncStream<Int>(unfolding: { await Self.never() }) {} }
            .cancellable(id: "endless", cancelInFlight: true)
        }))
    for index in 0..<10 { look(Double(index)) }
    installation.remove()
    return 10
  }

  private func observer() -> Int {
    let subscription = store.select(\.cinemas).subscribe { _ in }
    for index in 0..<100 { look(Double(index)) }
    subscription.cancel()
    return 100
  }

  private func child() async -> Int {
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 }) { _ in nil }
    let subscription = child.subscribe { _ in }
    for amount in 0..<9 { child.dispatch(amount) }
    await child.dispatch(9).reduced()
    #expect(child.state.local == 45)
    subscription.cancel()
    return 10
  }

  private func request() async -> Int {
    await store.dispatch(.favorites(.toggle("metropolis-1927"))).finish()
    return 1
  }

  /// An effect that waits for the store after each of its actions.
  private func waitingEffect() async -> Int {
    let installation = store.install(
      Feature<AppAction, AppState>(
        middleware: Middleware { action, _, _ in
          guard case .cinemas(.show(_, -2)) = action else { return .none }
          return .run { send in
            for radius in 1...9 {
              send(.cinemas(.show(at: BuiltInWalk.start, radius: Double(radius))))
              await send.reduced()
            }
          }
        }))
    await look(-2).finish()
    #expect(store.state.cinemas.view?.radius == 9)
    installation.remove()
    return 10
  }

  /// An effect that keeps its thread while the store processes 100 actions.
  private func blockedEffect() async -> Int {
    // Tasks have one thread for each processor. Beside other tests, no thread may be left for this test.
    guard SoakTests.wanted != nil, ProcessInfo.processInfo.activeProcessorCount > 1 else { return 0 }
    let door = Door()
    let installation = store.install(
      Feature<AppAction, AppState>(
        middleware: Middleware { action, _, _ in
          guard case .cinemas(.show(_, -1)) = action else { return .none }
          return .run { _ in door.pass() }
        }))
    let blocked = look(-1)
    await door.someoneWaits()
    for index in 0..<99 { look(Double(index)) }
    await look(99).reduced()
    #expect(store.state.cinemas.view?.radius == 99, "A blocked effect stops the store.")
    door.open()
    await blocked.finish()
    installation.remove()
    return 101
  }

  /// An observer that does not return while another thread dispatches 100 actions.
  private func blockedObserver() async -> Int {
    let door = Door()
    let subscription = store.select(\.cinemas).subscribe { if $0.view?.radius == -1 { door.pass() } }
    Thread.detachNewThread { [self] in look(-1) }
    await door.someoneWaits()
    for index in 0..<99 { look(Double(index)) }
    let last = look(99)
    door.open()
    await last.finish()
    #expect(store.state.cinemas.view?.radius == 99, "An action was lost while an observer was blocked.")
    subscription.cancel()
    return 101
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
}

/// A door that blocks a thread until it is opened.
private struct Door: Sendable {
  private let lock = DispatchSemaphore(value: 0)
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init() { (arrivals, arrival) = AsyncStream<Void>.makeStream() }

  func pass() {
    arrival.finish()
    lock.wait()
    lock.signal()
  }

  func open() { lock.signal() }

  func someoneWaits() async { for await _ in arrivals {} }
}
