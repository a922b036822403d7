import Observation

/// A tracked property: a field, the presence of a part, or a list of ids.
///
/// Each has its own registrar, so a change visits only its trackers. The registrar is called after the state has
/// changed, so an `onChange` that reads or tracks again uses the new state.
final class Registration: Observable, Sendable {
  private let registrar = ObservationRegistrar()

  private var value: Void { () }

  /// Registers the tracker whose closure is running, if any.
  func access() {
    registrar.access(self, keyPath: \.value)
  }

  /// Calls every tracker that registered since the last call.
  func notify() {
    registrar.willSet(self, keyPath: \.value)
    registrar.didSet(self, keyPath: \.value)
  }
}

/// The calls that follow from a change of the state. They are made when every store of the tree has the new state.
@MainActor
struct Round {
  var registrations: [Registration] = []
  var observers: [any FieldObserving] = []

  /// Calls the trackers, then each observer once, in the order of the subscription.
  func finish() {
    for registration in registrations { registration.notify() }
    var last: UInt64 = 0
    for observer in observers.sorted(by: { $0.lifetime.number < $1.lifetime.number })
    where observer.lifetime.number != last {
      last = observer.lifetime.number
      observer.check()
    }
  }
}
