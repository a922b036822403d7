import ReeluxCore
import ReeluxTesting
import Testing

// An enum as the state, and a state that contains itself. The page about reducers shows the marked parts.

struct SignIn: Equatable {
  var name = ""
}

enum SignInAction: Equatable { case typed(String), finished }

struct Home: Equatable {
  var seconds = 0
}

enum HomeAction: Equatable { case appeared, tick, signOut }

extension Feature where Action == SignInAction, State == SignIn {
  static var signIn: Feature {
    Feature(
      reducer: .partial { action, signIn in
        guard case .typed(let name) = action else { return false }
        signIn.name = name
        return true
      })
  }
}

extension Feature where Action == HomeAction, State == Home {
  static func home(clock: any Clock<Duration>) -> Feature {
    Feature(
      reducer: .partial { action, home in
        guard action == .tick else { return false }
        home.seconds += 1
        return true
      },
      middleware: Middleware { action, source, state in
        action == .appeared ? .timer(id: "tick", every: .seconds(1), clock: clock) { .tick } : .none
      })
  }
}

// snippet.cases
enum Screen: Equatable {
  case signIn(SignIn)
  case home(Home)

  var signIn: SignIn? {
    get { if case .signIn(let it) = self { it } else { nil } }
    set { if let newValue { self = .signIn(newValue) } }
  }

  var home: Home? {
    get { if case .home(let it) = self { it } else { nil } }
    set { if let newValue { self = .home(newValue) } }
  }
}

enum ScreenAction: Equatable {
  case signIn(SignInAction)
  case home(HomeAction)
}

func screens(clock: any Clock<Duration>) -> Feature<ScreenAction, Screen> {
  Feature<ScreenAction, Screen> {
    Feature.signIn.lift(action: .signIn, optional: \.signIn)
    Feature.home(clock: clock).lift(action: .home, optional: \.home)
    Reducer<ScreenAction, Screen>.partial { action, screen in
      switch action {
      case .signIn(.finished): screen = .home(Home())
      case .home(.signOut): screen = .signIn(SignIn())  // the effects of `home` end
      default: return false
      }
      return true
    }
  }
}
// snippet.end

extension Prism<ScreenAction, SignInAction> {
  static let signIn = Prism(case: ScreenAction.signIn) { if case .signIn(let it) = $0 { it } else { nil } }
}

extension Prism<ScreenAction, HomeAction> {
  static let home = Prism(case: ScreenAction.home) { if case .home(let it) = $0 { it } else { nil } }
}

// snippet.tree
struct Folder: Identifiable, Equatable {
  let id: Int
  var seconds = 0
  var folders: [Folder] = []
}

enum FolderAction {
  case start, tick
  case add(Int)
  case remove(Int)
  indirect case folder(ElementAction<Int, FolderAction>)
}

extension Prism<FolderAction, ElementAction<Int, FolderAction>> {
  static let folder = Prism(case: FolderAction.folder) { if case .folder(let action) = $0 { action } else { nil } }
}

extension Feature where Action == FolderAction, State == Folder {
  static func folder(clock: any Clock<Duration>) -> Feature {
    /// The same feature for the folders in this one.
    let inner: @Sendable () -> Feature = { .folder(clock: clock).lift(action: .folder, element: .byID(\.folders)) }
    return Feature(
      reducer: .partial { action, folder in
        switch action {
        case .start: return false
        case .tick: folder.seconds += 1
        case .add(let id): folder.folders.append(Folder(id: id))
        case .remove(let id): folder.folders.removeAll { $0.id == id }
        case .folder: return inner().reducer.reduce(action, &folder)
        }
        return true
      },
      middleware: Middleware { action, source, state in
        switch action {
        case .start: .timer(id: "tick", every: .seconds(1), clock: clock) { .tick }
        case .folder: inner().middleware.handle(action: action, from: source, state: state)
        case .tick, .add, .remove: .none
        }
      })
  }
}
// snippet.end

@Suite(.timeLimit(.minutes(15))) struct StateShapeTests {
  @Test func theEffectsOfACaseOfAnEnumEndWithTheCase() async {
    let clock = TestClock()
    let store = TestStore(initialState: Screen.signIn(SignIn()), feature: screens(clock: clock))
    await store.send(.home(.appeared))  // the state is another case, so nothing starts
    await store.send(.signIn(.typed("Ada"))) { $0 = .signIn(SignIn(name: "Ada")) }
    await store.send(.signIn(.finished)) { $0 = .home(Home()) }
    await store.send(.home(.appeared))
    await clock.advance(by: .seconds(1))
    await store.receive(.home(.tick)) { $0 = .home(Home(seconds: 1)) }
    await store.send(.home(.signOut)) { $0 = .signIn(SignIn()) }
    await store.send(.signIn(.finished)) { $0 = .home(Home()) }
    await clock.advance(by: .seconds(1))
    await store.assertFinished()
  }

  @Test func theEffectsOfAStateInsideAnEqualStateEndWithTheStateAroundThem() async {
    let clock = TestClock()
    let store = TestStore(initialState: Folder(id: 0), feature: .folder(clock: clock), exhaustivity: .none)
    let second: @Sendable (FolderAction) -> FolderAction = { .folder(ElementAction(1, $0)) }
    let third: @Sendable (FolderAction) -> FolderAction = { second(.folder(ElementAction(2, $0))) }
    for action in [.add(1), second(.add(2)), .start, second(.start), third(.start)] { await store.send(action) }
    await clock.advance(by: .seconds(1))
    let deepest = Folder(id: 2, seconds: 1)
    #expect(store.store.state == Folder(id: 0, seconds: 1, folders: [Folder(id: 1, seconds: 1, folders: [deepest])]))

    await store.send(second(.remove(2)))
    await store.send(second(.add(2)))
    await clock.advance(by: .seconds(1))
    #expect(store.store.state.folders == [Folder(id: 1, seconds: 2, folders: [Folder(id: 2)])])

    await store.send(third(.start))
    await store.send(.remove(1))
    await clock.advance(by: .seconds(1))
    #expect(store.store.state == Folder(id: 0, seconds: 3))
  }
}
