import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Section M: the value of an optional with an id is another part when it has another id.
@Suite(.timeLimit(.minutes(15))) struct OptionalIDTests {
  enum Local: Sendable, Equatable {
    case load, save, tick, rename, become(Int), note(String), answer(String)
  }
  struct User: Sendable, Equatable {
    var id: Int
    var answers: [String] = []
  }
  struct State: Sendable, Equatable {
    var user: User? = User(id: 1)
    /// How often a setter wrote `computed`.
    var writes = 0
    var computed: User? {
      get { user }
      set {
        user = newValue
        writes += 1
      }
    }
  }
  enum Action: Sendable {
    case user(Local)
    case set(User?)
  }
  static let user = Prism(case: Action.user) { if case .user(let it) = $0 { it } else { nil } }

  /// The feature of a user. `load` and `save` send their action when the door opens, even if they were cancelled.
  struct Session: Sendable {
    let door = Door()
    let clock = TestClock()
    let reads = Journal<Int>()
    let feeds = Journal<String>()

    var feature: Feature<Local, User> {
      Feature(
        reducer: Reducer.partial { action, user in
          switch action {
          case .become(let id): user.id = id
          case .answer(let text): user.answers.append(text)
          case .load, .save, .tick, .note: break
          case .rename: return false
          }
          return true
        },
        middleware: Middleware(SessionMiddleware(session: self)))
    }

    func store(computed: Bool = false) -> Store<Action, State> {
      Store(
        initialState: State(),
        feature: Feature {
          feature.lift(
            action: OptionalIDTests.user, optional: computed ? \State.computed : \State.user, id: \User.id)
          Reducer<Action, State>.partial { action, state in
            guard case .set(let user) = action else { return false }
            state.user = user
            return true
          }
        })
    }
  }

  struct SessionMiddleware: FeedingMiddleware {
    let session: Session

    func handle(action: Local, from source: ActionSource, state: GetState<User>) -> Effect<Local> {
      switch action {
      case .load, .save:
        let effect = Effect<Local>.run { send in
          await session.door.pass()
          session.reads.write(state().id)
          send(.answer("old"))
        }
        return action == .save ? effect.detached() : effect
      case .tick: return .timer(id: "tick", every: .seconds(1), clock: session.clock) { .answer("tick") }
      case .note(let text): return .send(.answer(text))
      case .become, .answer, .rename: return .none
      }
    }

    func feeds(for state: User) -> [Feed<Local>] {
      [
        Feed(key: "mail") { [id = state.id] _ in
          session.feeds.write("open \(id)")
          for await _ in AsyncStream<Void>.makeStream().stream {}
          session.feeds.write("close \(id)")
        }
      ]
    }
  }

  @Test(.conformance(88), arguments: [false, true])
  func theAnswerForAValueNeverReachesAValueWithAnotherID(isComputed: Bool) async {
    let session = Session()
    let store = session.store(computed: isComputed)
    let load = store.dispatch(.user(.load))
    let timer = store.dispatch(.user(.tick))
    store.dispatch(.set(User(id: 2)))
    #expect(store.effects.running.filter { !$0.isFeed }.isEmpty)
    await load.finish()
    await timer.finish()
    session.door.open()
    await store.settle()
    #expect(store.state.user == User(id: 2))
    // The effects of the new value work.
    await store.dispatch(.user(.load)).finish()
    #expect(store.state.user == User(id: 2, answers: ["old"]))
  }

  @Test(.conformance(88), arguments: [false, true])
  func aValueThatIsReplacedByOneWithTheSameIDKeepsItsEffects(isComputed: Bool) async {
    let session = Session()
    let store = session.store(computed: isComputed)
    let load = store.dispatch(.user(.load))
    store.dispatch(.set(User(id: 1, answers: ["other"])))
    session.door.open()
    await load.finish()
    #expect(store.state.user == User(id: 1, answers: ["other", "old"]))
  }

  @Test(.conformance(88)) func aReducerOfTheFeatureThatChangesTheIDEndsTheEffects() async {
    let session = Session()
    let store = session.store()
    let load = store.dispatch(.user(.load))
    store.dispatch(.user(.become(1)))
    #expect(store.effects.running.contains { !$0.isFeed })
    store.dispatch(.user(.become(2)))
    #expect(!store.effects.running.contains { !$0.isFeed })
    session.door.open()
    await load.finish()
    #expect(store.state.user == User(id: 2))
  }

  @Test(.conformance(88), arguments: [1, 2])
  func aQueuedFollowUpOfAValueWithAnotherIDIsDropped(next: Int) {
    let store = Session().store()
    let calls = Journal<Void>()
    let subscription = store.subscribe { _ in
      calls.write(())
      // The follow-up action of `note` comes after this action.
      if calls.count == 2 { store.dispatch(.set(User(id: next))) }
    }
    store.dispatch(.user(.note("text")))
    #expect(store.state.user == User(id: next, answers: next == 1 ? ["text"] : []))
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(54)) func itsFeedsCloseAndOpenWithTheID() async {
    let session = Session()
    let store = session.store()
    await session.feeds.reaches(count: 1)
    store.dispatch(.set(User(id: 1, answers: ["same"])))
    store.dispatch(.set(User(id: 2)))
    await session.feeds.reaches(count: 3)
    store.dispatch(.set(nil))
    await session.feeds.reaches(count: 4)
    #expect(session.feeds.entries.filter { $0.hasSuffix("1") } == ["open 1", "close 1"])
    #expect(session.feeds.entries.filter { $0.hasSuffix("2") } == ["open 2", "close 2"])
  }

  /// The reducer is lifted to the same optional by another id, or without one.
  @Test(.conformance(88), arguments: [false, true])
  func aReducerThatIsLiftedInAnotherWayEndsTheEffectsToo(hasID: Bool) async {
    let session = Session()
    let store = session.store()
    let rename = Feature<Local, User>(
      reducer: Reducer.partial { action, user in
        guard case .rename = action else { return false }
        user.id = 2
        return true
      })
    store.install(
      hasID
        ? rename.lift(action: Self.user, optional: \State.user, id: \User.answers)
        : rename.lift(action: Self.user, optional: \State.user))
    let load = store.dispatch(.user(.load))
    store.dispatch(.user(.rename))
    session.door.open()
    await load.finish()
    #expect(store.state.user?.answers == [])
  }

  @Test(.conformance(88)) func aDetachedEffectReadsTheValueThatItBeganWith() async {
    let session = Session()
    let store = session.store()
    let save = store.dispatch(.user(.save))
    store.dispatch(.set(User(id: 2)))
    session.door.open()
    await save.finish()
    #expect(session.reads.entries == [1])
    // An action has no id, so it reaches the value that is present.
    #expect(store.state.user == User(id: 2, answers: ["old"]))
  }

  @Test(.conformance(39), .conformance(98)) func aMissingValueAcceptsNoAction() {
    let store = Session().store(computed: true)
    store.dispatch(.user(.answer("one")))
    #expect(store.state.writes == 1)
    store.dispatch(.set(nil))
    store.dispatch(.user(.answer("two")))
    #expect(store.state == State(user: nil, writes: 1))
  }
}
