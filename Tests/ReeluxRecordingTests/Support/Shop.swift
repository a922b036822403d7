import Foundation
import ReeluxCore
import ReeluxLogger

/// A small app to record.
enum ShopAction: Hashable, Codable, Sendable {
  case add(String)
  case remove(String)
  case login(user: String, password: String)
  case count(CountAction)
  case tick
}

enum CountAction: Hashable, Codable, Sendable {
  case up
  case by(Int)
}

struct Counter: Hashable, Codable, Sendable {
  var value = 0
}

struct ShopState: Hashable, Codable, Sendable {
  var cart: [String] = []
  var owner: String?
  var token: String?
  var counter = Counter()
}

extension Reducer where Action == ShopAction, State == ShopState {
  static let shop = Reducer { action, state in
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
  /// A clock that goes on by one millisecond at each look, from 2026-11-21 02:03:04 UTC.
  static func stepping() -> LogClock {
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

/// A directory that is removed with the last reference.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "recording-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
