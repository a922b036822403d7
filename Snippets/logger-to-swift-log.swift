// Writes to apple/swift-log. This package does not depend on it, so this file contains a stand-in with its method. In
// your app, remove the stand-in and write `import Logging`.

import ReeluxCore
import ReeluxLogger

struct SwiftLogLogger: Sendable {
  enum Level: String { case debug, info }
  let label: String

  func log(level: Level, _ message: String, metadata: [String: String], file: String, function: String, line: UInt) {
    print("\(level) \(label): \(message) \(metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })")
  }
}

let logger = SwiftLogLogger(label: "actions")

let destination = LogDestination.records { record in
  var metadata = ["action": record.name, "number": "\(record.number)"]
  for change in record.difference?.changes ?? [] { metadata["\(change.path)"] = change.new ?? "removed" }
  logger.log(
    level: record.difference?.isEmpty == false ? .info : .debug, record.action, metadata: metadata,
    file: record.source.file, function: record.source.function, line: record.source.line)
}

let store = Store(
  initialState: 0,
  feature: Feature<Int, Int>(reducer: Reducer { amount, sum in sum += amount }) <> .logger(to: destination))
store.dispatch(41)
store.dispatch(0)
