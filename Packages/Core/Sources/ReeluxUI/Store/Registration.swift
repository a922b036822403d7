import Observation

/// One thing that can be tracked: a field, the presence of a part, a list of ids.
///
/// Each has a registrar of its own, so a change visits only the trackers of this
/// thing. The registrar is called after the state has changed, so an `onChange`
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

/// The calls that a change of the state leads to. They are made when every store of the tree has the
/// new state.
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
