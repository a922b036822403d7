// The cookbook's program about apps of several features. It checks its own results.
import ReeluxCore
import ReeluxUI
import Synchronization

enum SearchAction {
  case queryChanged(String)
  case picked(String)
}

struct SearchState: Equatable {
  var query = ""
}

let search = Feature<SearchAction, SearchState>(
  reducer: Reducer { action, state in
    if case .queryChanged(let query) = action { state.query = query }
  })

enum ProfileAction {
  case rename(String)
}

// snippet.shared
struct ProfileState: Equatable {
  var user: String
  var draft = ""
}

struct AppState: Equatable {
  var user = "Ada"  // the one place where it is kept
  var profileDraft = ""
  var search = SearchState()
  var list: [String] = []
  var flags: Set<String> = ["search"]

  /// The profile feature's state: the shared value, and what belongs to the feature alone.
  var profile: ProfileState {
    get { ProfileState(user: user, draft: profileDraft) }
    set { (user, profileDraft) = (newValue.user, newValue.draft) }
  }
}
// snippet.end

let profile = Feature<ProfileAction, ProfileState>(
  reducer: Reducer { action, state in
    if case .rename(let name) = action { state.user = name }
  })

enum AppAction {
  case search(SearchAction)
  case profile(ProfileAction)
  case flagsChanged(Set<String>)
}

extension Prism<AppAction, SearchAction> {
  static let search = Prism(case: AppAction.search) { if case .search(let action) = $0 { action } else { nil } }
}

extension Prism<AppAction, ProfileAction> {
  static let profile = Prism(case: AppAction.profile) { if case .profile(let action) = $0 { action } else { nil } }
}

extension Prism<AppAction, Set<String>> {
  static let flagsChanged = Prism(case: AppAction.flagsChanged) {
    if case .flagsChanged(let it) = $0 { it } else { nil }
  }
}

// snippet.parent
extension Prism<SearchAction, String> {
  static let picked = Prism(case: SearchAction.picked) { if case .picked(let title) = $0 { title } else { nil } }
}

let parent = Feature<AppAction, AppState> {
  search.lift(action: .search, state: \.search)
  Reducer(Prism.search.appending(.picked)) { title, state in
    state.list.append(title)  // the parent's own part of the state
  }
}
// snippet.end

// snippet.flags
/// Decided when the app is made.
func makeApp(withProfile: Bool) -> Feature<AppAction, AppState> {
  Feature {
    parent
    if withProfile {
      profile.lift(action: .profile, state: \.profile)
    }
    Reducer(.flagsChanged) { flags, state in state.flags = flags }
    switched
  }
}

/// Decided for each action, by a flag that may change while the app runs.
let switched = Interceptor<AppAction, AppState> { action, source, state in
  if case .search = action, !state().flags.contains("search") { return .drop }
  return .pass
}
// snippet.end

// snippet.analytics
func analytics(_ track: @escaping @Sendable (String) -> Void) -> Middleware<AppAction, AppAction, AppState> {
  Middleware { action, source, state in
    switch action {
    case .search(.picked(let title)): track("picked \(title), \(source.function)")
    case .profile(.rename): track("renamed")
    default: break
    }
    return .none
  }
}
// snippet.end

// snippet.analytics-store
let (events, continuation) = AsyncStream.makeStream(of: String.self)
let tracking = Feature(middleware: analytics { event in continuation.yield(event) })
// snippet.end
let store = Store(initialState: AppState(), feature: makeApp(withProfile: true) <> tracking)
store.dispatch(.profile(.rename("Grace")))
precondition(store.state.user == "Grace")
await store.dispatch(.search(.picked("Metropolis"))).finish()
precondition(store.state.list == ["Metropolis"])
store.dispatch(.flagsChanged([]))
store.dispatch(.search(.picked("Nosferatu")))
precondition(store.state.list == ["Metropolis"])
await store.settle()
continuation.finish()
var tracked: [String] = []
for await event in events { tracked.append(event) }
precondition(tracked.count == 2 && tracked[0] == "renamed" && tracked[1].hasPrefix("picked Metropolis"))

// snippet.generic
struct Paged<Item: Equatable & Sendable>: Equatable {
  var items: [Item] = []
  var nextPage: Int? = 1  // nil: there is no other page
  var isLoading = false
}

enum PagedAction<Item: Sendable> {
  case loadMore
  case loaded([Item], page: Int)
}

extension Feature {
  /// Loads page after page, until a page is empty.
  static func paged<Item>(
    _ load: @escaping @Sendable (_ page: Int) async -> [Item]
  ) -> Feature where Action == PagedAction<Item>, State == Paged<Item> {
    Feature(
      reducer: Reducer { action, state in
        switch action {
        case .loadMore: state.isLoading = state.nextPage != nil
        case .loaded(let items, let page):
          state.items += items
          (state.nextPage, state.isLoading) = (items.isEmpty ? nil : page + 1, false)
        }
      },
      middleware: Middleware { action, source, state in
        guard case .loadMore = action, let page = state().nextPage, !state().isLoading else { return .none }
        return .task { .loaded(await load(page), page: page) }
      })
  }
}

let years = Store(initialState: Paged(), feature: .paged { page in page < 3 ? [1900 + page, 2000 + page] : [] })
// snippet.end
while years.state.nextPage != nil { await years.dispatch(.loadMore).finish() }
precondition(years.state == Paged(items: [1901, 2001, 1902, 2002], nextPage: nil))

// snippet.legacy
/// A class of the existing app. It stays as it is.
final class OldSettings: Sendable {
  let changes: AsyncStream<String>
  private let report: AsyncStream<String>.Continuation
  init() { (changes, report) = AsyncStream.makeStream() }
  func userDidRename(to name: String) { report.yield(name) }
}

/// The callbacks of the old class dispatch actions to the store.
struct OldSettingsMiddleware: FeedingMiddleware {
  let settings: OldSettings

  func handle(action: AppAction, from source: ActionSource, state: GetState<AppState>) -> Effect<AppAction> { .none }

  func feeds(for state: AppState) -> [Feed<AppAction>] {
    [
      Feed(key: "old settings") { [settings] send in
        for await name in settings.changes { send(.profile(.rename(name))) }
      }
    ]
  }
}

let settings = OldSettings()
store.install(Feature(middleware: Middleware(OldSettingsMiddleware(settings: settings))))

// An observer of the store calls the old code.
let title = Mutex("")
let subscription = store.select(\.user).subscribe { name in title.withLock { $0 = "Hello, \(name)" } }
settings.userDidRename(to: "Joan")
// snippet.end
for await state in store.states where state.user == "Joan" { break }
await store.settle()  // another thread may still be calling the observers
precondition(title.withLock { $0 } == "Hello, Joan")
subscription.cancel()

// snippet.legacy-callback
/// A class of the existing app, on the main actor, with a callback.
@MainActor final class OldProfile {
  var onRename: ((String) -> Void)?
  private(set) var name = ""

  func rename(to name: String) {
    guard name != self.name else { return }
    self.name = name
    onRename?(name)
  }
}

let view = MainActorStore(store)
let old = OldProfile()
old.onRename = { name in view.send(.profile(.rename(name))) }
let renaming = view.observe(\.user) { name in old.rename(to: name) }

old.rename(to: "Grace")  // view.user is now "Grace"
view.send(.profile(.rename("Katherine")))  // old.name is now "Katherine"
// snippet.end
precondition(view.user == "Katherine" && old.name == "Katherine")
renaming.cancel()
print("apps: as the cookbook shows")
