import ReeluxCore

/// A program that uses only ReeluxCore. Its executable must not need Foundation.
@main
struct CoreOnly {
  static func main() {
    let store = Store(initialState: 0, reducer: Reducer<Int, Int> { action, count in count += action })
    let subscription = store.subscribe { print($0) }
    store.dispatch(41)
    store.dispatch(1)
    subscription.cancel()
  }
}
