import ReeluxCore
import ReeluxLoggerTestSupport
import Foundation
import ReeluxRecording

/// A recording of the shop in a new directory.
struct ShopRecording {
  let directory: TemporaryDirectory
  var path: String { directory.path + "/run.jsonl" }

  init(_ actions: [ShopAction] = [.add("tea"), .count(.up), .tick, .remove("tea"), .count(.by(5))]) throws {
    directory = try TemporaryDirectory()
    let recorder = try ActionRecorder<ShopAction, ShopState>(
      path: path, app: "Shop", version: "1.2", seed: 42, clock: .stepping())
    let store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    for action in actions { store.dispatch(action, info: "recorded") }
    try recorder.close()
  }

  var lines: [String] {
    get throws { try directory.lines("run.jsonl") }
  }

  func read() throws -> Recording<ShopAction, ShopState> { try Recording(path: path) }

  /// Replaces the file's contents.
  func rewrite(_ text: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }
}
