// The cookbook's program about names that clash; it checks its own results.
import ReeluxCore

// snippet.names
/// The app's own type.
struct Store {
  var street: String
}

/// The package's type, by the name of its module.
typealias CountStore = ReeluxCore.Store<Int, Int>

let corner = Store(street: "Elm Street")
let counts = CountStore(initialState: 0, reducer: Reducer { $1 += $0 })
counts.dispatch(2)
// snippet.end
precondition(counts.state == 2 && corner.street == "Elm Street")
print("names: as the cookbook shows")
