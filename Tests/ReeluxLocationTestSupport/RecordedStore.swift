package import ReeluxCore
package import ReeluxLocation

/// A store of the location feature alone that records its actions in order.
package final class RecordedStore: Sendable {
  private let recorded: Recorder
  /// The last dispatched action.
  private let last = Locked<ActionTask?>(nil)
  package let store: Store<LocationAction, LocationState>

  private final class Recorder: Sendable {
    let actions = Locked<[LocationAction]>([])
  }

  package init(_ feed: LocationFeed, authorization: LocationAuthorization = .notDetermined) {
    let recorder = Recorder()
    recorded = recorder
    let recording = Feature<LocationAction, LocationState>(
      middleware: Middleware { action, _, _ in
        recorder.actions.withLock { $0.append(action) }
        return .none
      })
    store = Store(
      initialState: LocationState(authorization: authorization),
      feature: Feature {
        recording
        Feature.location(feed: feed)
      })
  }

  /// All actions so far.
  package var actions: [LocationAction] { recorded.actions.withLock { $0 } }

  package var state: LocationState { store.state }

  /// Returns the state after the actions that were dispatched so far. If another thread runs the pipeline, they wait in
  /// the queue.
  @discardableResult
  package func reduced() async -> LocationState {
    await last.withLock { $0 }?.reduced()
    return store.state
  }

  /// Returns the first state, after the actions that were dispatched so far, that fulfils a condition.
  @discardableResult
  package func state(where condition: (LocationState) -> Bool) async -> LocationState {
    await reduced()
    for await state in store.states where condition(state) { return state }
    return store.state
  }

  /// Returns when no service is running.
  @discardableResult
  package func finished() async -> LocationState {
    await state { $0.wantedServices.isEmpty && !$0.isAskingForAuthorization }
  }

  package func dispatch(_ actions: LocationAction...) {
    for action in actions { send(action) }
  }

  private func send(_ action: LocationAction) {
    let task = store.dispatch(action)
    last.withLock { $0 = task }
  }

  /// Sends actions. If the store is idle, no response comes between them.
  package func dispatchTogether(_ actions: [LocationAction]) {
    // An observer runs on the thread of the pipeline, so all actions are in the queue before the first of them opens a
    // feed.
    let isFirstCall = Locked(true)
    store.subscribe { [self] _ in
      if isFirstCall.withLock({ $0 }) {
        isFirstCall.withLock { $0 = false }
        for action in actions { send(action) }
      }
    }.cancel()
  }
}

/// A fix at a place, this number of seconds after the start of 1970.
package func fix(_ latitude: Double, _ longitude: Double, at seconds: Double = 0, accuracy: Double? = nil)
  -> LocationFix
{
  LocationFix(
    coordinate: Coordinate(normalizing: latitude, longitude: longitude),
    timestamp: Timestamp(secondsSince1970: seconds), horizontalAccuracy: accuracy)
}
