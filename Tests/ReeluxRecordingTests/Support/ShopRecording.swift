import ReeluxCore
import ReeluxLoggerTestSupport
import Foundation

@testable import ReeluxRecording

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

  /// A pipe that contains the recording and has no other writer.
  func pipe() throws -> FileHandle {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: path)))
    try pipe.fileHandleForWriting.close()
    return pipe.fileHandleForReading
  }

  /// Adds a line before the one with this index. Its JSON lacks the chain and the closing brace.
  func insert(_ json: String, at index: Int) throws {
    var lines = try lines.map { Array($0.utf8) }
    lines.insert(Array(json.utf8), at: index)
    var text: [UInt8] = []
    var chain = Digest().value
    for line in lines {
      let begin = text.count
      text += RecordingLine.split(line[...])?.content ?? line[...]
      chain = RecordingLine.close(&text, from: begin, after: chain)
    }
    try rewrite(String(decoding: text, as: UTF8.self))
  }

  /// Replaces the file's contents.
  func rewrite(_ text: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }
}
