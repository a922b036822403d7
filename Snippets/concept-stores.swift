// Stores, handles, projections, child stores, and features that are installed and removed.
import ReeluxCore
import Synchronization

struct Film: Identifiable, Sendable, Equatable {
  let id: String
  var stars = 0
}

struct AppState: Sendable, Equatable {
  var films = [Film(id: "metropolis"), Film(id: "nosferatu")]
  var searches = 0
}

enum AppAction: Sendable {
  case rate(ElementAction<String, Int>)
  case searched
}

extension Prism<AppAction, ElementAction<String, Int>> {
  static let rate = Prism(case: AppAction.rate) { if case .rate(let action) = $0 { action } else { nil } }
}

extension Prism<AppAction, Void> {
  static let searched = Prism(case: .searched)
}

let app = Feature<AppAction, AppState>(
  reducer: .compose {
    Reducer<Int, Film> { stars, film in film.stars = stars }.lift(action: .rate, element: .byID(\.films))
    Reducer(.searched) { state in state.searches += 1 }
  })

// snippet.store
let store = Store(initialState: AppState(), feature: app)
store.dispatch(.searched)
print(store.state.searches)  // 1: reduced before dispatch returned
let stars = store.state.films.map(\.stars)  // reading `state` does not copy its arrays
// snippet.end
precondition(store.state.searches == 1 && stars == [0, 0])

// snippet.guard
enum Echo: Sendable {
  case call
}

let dropped = Mutex<[String]>([])
let echoing = Store(
  initialState: 0,
  feature: Feature(
    reducer: Reducer<Echo, Int> { action, count in count += 1 },
    middleware: Middleware { action, source, state in .send(.call) }),  // forever
  runawayGuard: RunawayGuard(limit: 1_000) { looping in
    dropped.withLock { $0.append("\(looping.action) from line \(looping.source.line)") }
  })
echoing.dispatch(.call)
// snippet.end
precondition(echoing.state == 1_001 && dropped.withLock { $0.count } == 1)

// snippet.projection
let rating = store.projection(
  action: { (stars: Int) in .rate(ElementAction("metropolis", stars)) },
  state: { $0.films.first?.stars ?? 0 })
rating.dispatch(5)
print(rating.state)  // 5
// snippet.end
precondition(rating.state == 5 && store.state.films[0].stars == 5)

// snippet.element
let nosferatu = store.projection(
  element: "nosferatu", of: \.films, action: { (rating: ElementAction<String, Int>) in .rate(rating) })
nosferatu.dispatch(4)
print(nosferatu.state?.stars ?? 0)  // 4
// snippet.end
precondition(nosferatu.state == Film(id: "nosferatu", stars: 4))

// snippet.child
enum SearchAction: Sendable {
  case typed(String)
  case submit
}

struct SearchState: Sendable, Equatable {
  var text = ""
  var wasSent = false
}

let search = store.child(
  initialState: SearchState(),
  reducer: Reducer<SearchAction, SearchState> { action, state in
    switch action {
    case .typed(let text): state.text = text
    case .submit: state.wasSent = true
    }
  },
  toRoot: { action in if case .submit = action { .searched } else { nil } })

let calls = Mutex(0)
let watching = search.subscribe { both in calls.withLock { $0 += 1 } }  // once, with the current states
search.dispatch(.typed("golem"))  // the child's state only
search.dispatch(.submit)  // both states, one notification
// snippet.end
precondition(search.state.local == SearchState(text: "golem", wasSent: true))
precondition(search.state.root.searches == 2 && calls.withLock { $0 } == 3)

// snippet.install
let heard = Mutex<[String]>([])
let listening = store.install(
  Feature(
    middleware: Middleware { action, source, state in
      heard.withLock { $0.append("\(action)") }
      return .none
    }))
store.dispatch(.searched)  // heard
listening.remove()
store.dispatch(.searched)  // not heard
// snippet.end
precondition(heard.withLock { $0 } == ["searched"] && store.state.searches == 4)

// snippet.lift
let house = Feature<HouseAction, HouseState> {
  light.lift(action: .hall, state: \.hall)
  light.lift(action: .attic, optional: \.attic)  // a house can have no attic
}
// snippet.end

enum LightAction: Sendable { case toggle }
struct HouseState: Sendable, Equatable {
  var hall = false
  var attic: Bool?
}
enum HouseAction: Sendable {
  case hall(LightAction)
  case attic(LightAction)
}
extension Prism<HouseAction, LightAction> {
  static let hall = Prism(case: HouseAction.hall) { if case .hall(let action) = $0 { action } else { nil } }
  static let attic = Prism(case: HouseAction.attic) { if case .attic(let action) = $0 { action } else { nil } }
}
var light: Feature<LightAction, Bool> {
  Feature(reducer: Reducer { action, isOn in isOn.toggle() })
}

let rooms = Store(initialState: HouseState(), feature: house)
rooms.dispatch(.hall(.toggle))
rooms.dispatch(.attic(.toggle))
precondition(rooms.state == HouseState(hall: true, attic: nil))
print(
  "child \(search.state.local), \(calls.withLock { $0 }) calls, heard \(heard.withLock { $0 }), rooms \(rooms.state)")
withExtendedLifetime(watching) {}
