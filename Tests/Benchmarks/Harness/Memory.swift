import ReeluxCore
import Foundation

/// The memory of a store, at the start and over a long time.
enum Memory {
  /// The bytes of one store with the small app's three features; `nil` on a platform without a counter.
  static func sizeOfStore() -> Int? {
    let number = 1000
    let (bytes, isCounted) = AllocationCounter.counting {
      var stores = [Store<AppAction, AppState>]()
      stores.reserveCapacity(number)
      // Memory that all stores of a type share does not count for the second store.
      withExtendedLifetime(makeStore()) {}
      let before = AllocationCounter.bytes
      for _ in 0..<number { stores.append(makeStore()) }
      return withExtendedLifetime(stores) { (AllocationCounter.bytes - before) / number }
    }
    return isCounted ? bytes : nil
  }

  private static func makeStore() -> Store<AppAction, AppState> {
    let store = Store(initialState: AppState(), feature: .app)
    store.dispatch(.counter(.increment))
    return store
  }

  /// Sends actions in ten parts, while observers subscribe, dispatch and unsubscribe. Calls `report` after each part.
  ///
  /// - Returns: Whether the process grew by at most a mebibyte after the first part.
  static func soak(_ actions: Int, report: (_ sent: Int, _ kibibytes: Int) -> Void) throws -> Bool {
    let feature = Feature<AppAction, AppState> {
      Feature.app
      Feature(middleware: Middleware(SilentMiddleware()))
    }
    let store = Store(initialState: AppState(), feature: feature)
    let changes = Tally()
    let observer = store.select(\.location).subscribe { _ in changes.count += 1 }
    var sizes: [Int] = []
    let tenth = max(1, actions / 10)
    let nested = 1000
    for part in 1...10 {
      forEachAction(tenth) { store.dispatch($0) }
      for _ in 0..<nested {
        let tally = Tally()
        let visitor = store.select(\.counter).subscribe { [weak store] _ in
          tally.count += 1
          if tally.count == 2 { store?.dispatch(.counter(.decrement)) }
        }
        store.dispatch(.counter(.increment))
        visitor.cancel()
        try check(tally.count, is: 3, "visitor")
      }
      let size = residentKibibytes()
      sizes.append(size)
      report(part * tenth, size)
    }
    observer.cancel()
    var expected = AppState()
    for _ in 0..<10 {
      let more = AppState.expected(after: tenth)
      expected.counter &+= more.counter
      expected.favorites.formSymmetricDifference(more.favorites)
      expected.location = more.location
    }
    try check(store.state, is: expected, "soak")
    return (sizes.last ?? 0) - (sizes.first ?? 0) <= 1024
  }

  private static func residentKibibytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let number = line.split(whereSeparator: { !$0.isNumber }).first
    else {
      FileHandle.standardError.write(Data("error: the memory of a process is measured on Linux only\n".utf8))
      exit(69)
    }
    return Int(number) ?? 0
  }
}
