// The cookbook's program about name clashes. It checks its own results.
import ReeluxCore

// snippet.names
/// The app's own type.
struct Store {
  var street: String
}

/// The package's type, by the name of its module.
typealias CountStore = ReeluxCore.Store<CountAction, Int>

let corner = Store(street: "Elm Street")
let counts = CountStore(initialState: 0, feature: .count)
counts.dispatch(.add(2))
// snippet.end
precondition(counts.state == 2 && corner.street == "Elm Street")

// snippet.names-feature
/// Other types of the app.
struct Feature { var film: String }
struct Effect { var colour: String }
enum Reducer { case noise }

enum CountAction { case add(Int) }

extension ReeluxCore.Feature where Action == CountAction, State == Int {
  static var count: Self {  // here, `Feature` is the app's type, and `Self` is the package's
    Self(
      reducer: ReeluxCore.Reducer { action, count in
        switch action {
        case .add(let number): count += number
        }
      },
      middleware: Middleware(CountMiddleware()))
  }
}

struct CountMiddleware: MiddlewareProtocol {
  func handle(
    action: CountAction, from source: ActionSource, state: GetState<Int>
  ) -> ReeluxCore.Effect<CountAction> { .none }
}

let app = ReeluxCore.Feature<CountAction, Int> {
  ReeluxCore.Feature.count
  ReeluxCore.Reducer { action, count in count = min(count, 99) }
}
// snippet.end
var total = 99
app.reducer.reduce(.add(1), &total)
precondition(total == 99)
print("names: as the cookbook shows")
