package import ReeluxCore
package import ReeluxLogger

/// A small app for tests of the logger and the recorder.
package enum ShopAction: Hashable, Codable, Sendable {
  case add(String)
  case remove(String)
  case login(user: String, password: String)
  case count(CountAction)
  case tick
}

package enum CountAction: Hashable, Codable, Sendable {
  case up
  case by(Int)
}

package struct Counter: Hashable, Codable, Sendable {
  package var value = 0

  package init(value: Int = 0) {
    self.value = value
  }
}

package struct ShopState: Hashable, Codable, Sendable {
  package var cart: [String] = []
  package var owner: String?
  package var token: String?
  package var counter = Counter()

  package init(cart: [String] = [], counter: Counter = Counter()) {
    self.cart = cart
    self.counter = counter
  }
}

extension Reducer where Action == ShopAction, State == ShopState {
  package static let shop = Reducer { action, state in
    switch action {
    case .add(let item): state.cart.append(item)
    case .remove(let item): state.cart.removeAll { $0 == item }
    case .login(let user, let password):
      state.owner = user
      state.token = "token of \(password)"
    case .count(.up): state.counter.value += 1
    case .count(.by(let amount)): state.counter.value += amount
    case .tick: break
    }
  }
}

extension LogClock {
  /// A clock that advances by one millisecond at each read, starting at 2026-11-21 02:03:04 UTC.
  package static func stepping() -> LogClock {
    let time = Locked<Int64>(0)
    let next: @Sendable () -> Int64 = {
      time.withLock { time in
        time += 1_000_000
        return time
      }
    }
    return LogClock(wallTime: { 1_795_226_584_000_000_000 + next() }, uptime: next)
  }
}
