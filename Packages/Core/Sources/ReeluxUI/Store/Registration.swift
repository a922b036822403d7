import Observation

/// One thing that can be tracked: a field, the presence of a part, a list of ids.
///
/// Each has a registrar of its own, so that a change visits the trackers of this
/// thing and no others. It is told after the state has changed: an `onChange`
/// that reads or tracks again sees the new state.
final class Registration: Observable, Sendable {
  private let registrar = ObservationRegistrar()

  private var value: Void { () }

  /// Registers the tracker whose closure is running, if there is one.
  func access() {
    registrar.access(self, keyPath: \.value)
  }

  /// Calls every tracker that has registered since the last time.
  func notify() {
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
  }
}

/// What one change of the state leads to, after the state of every store of the tree is the new one.
@MainActor
struct Round {
  var registrations: [Registration] = []
  var observers: [any FieldObserving] = []

  /// Calls the trackers, then the observers.
  func finish() {
    for registration in registrations { registration.notify() }
    for observer in observers { observer.check() }
  }
}
