import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// Getters of the app that send actions while the store compares or reads a field.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct SendingGetterTests {
  struct Inner: Sendable, Equatable { var count = 0 }
  struct Outer: Sendable {
    var inner = Inner()
    let hook = Hook()
    var computed: Int {
      hook.call()
      return inner.count
    }
  }
  /// Work that the next read of a getter performs once.
  final class Hook: Sendable {
    private let work = Locked<(@Sendable () -> Void)?>(nil)

    func call() {
      let work = work.withLock { $0.take() }
      work?()
    }
    func set(_ work: @escaping @Sendable @MainActor () -> Void) {
      self.work.withLock { $0 = { MainActor.assumeIsolated { work() } } }
    }
  }

  private static func view() -> MainActorStore<Int, Outer> {
    MainActorStore(Store(initialState: Outer(), reducer: Reducer<Int, Outer> { $1.inner.count += $0 }))
  }

  @Test(.conformance(97)) func aGetterMayReadTheViewAndSend() {
    let view = Self.view()
    view.state.hook.set {
      #expect(view.inner.count == 0)
      view.send(5)
    }
    #expect([0, 5].contains(view.computed))
    #expect(view.computed == 5)
  }

  @Test(.conformance(97)) func aProjectionShowsTheNewestStateIfAGetterSendsDuringAnUpdate() {
    let view = Self.view()
    let inner = view.projection(action: { (number: Int) in number }, state: \.inner)
    let changes = Changes()
    changes.track("computed") { view.computed }
    changes.track("inner") { inner.count }
    let observed = Changes()
    let subscription = view.observe { observed.note("\($0.inner.count)") }
    view.state.hook.set { view.send(10) }
    view.send(1)
    #expect(view.inner.count == 11)
    #expect(inner.count == 11)
    #expect(changes.names.sorted() == ["computed", "inner"])
    #expect(observed.names == ["0", "11"])
    subscription.cancel()
  }

  @Test(.conformance(97)) func anObserverReceivesTheNewestValueIfItsGetterSends() {
    let view = Self.view()
    let changes = Changes()
    let subscription = view.observe(\.computed) { changes.note("\($0)") }
    view.state.hook.set { view.send(10) }
    view.send(1)
    #expect(changes.names.first == "0")
    #expect(changes.names.last == "11")
    subscription.cancel()
  }
}
