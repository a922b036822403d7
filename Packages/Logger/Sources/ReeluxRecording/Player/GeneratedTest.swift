internal import Foundation
public import ReeluxCore

/// A test that was generated from a recording: Swift source with a `TestStore` that has an initial state, sends
/// actions, and states the changes of each.
///
/// States and actions are JSON in the source, so it compiles for any `Codable` type. The test passes as long as the
/// reducer behaves the same.
public struct GeneratedTest: Sendable {
  /// The names in the source that depend on the app.
  public struct Setting: Sendable {
    /// Import lines that make the types visible, such as `@testable import MoviesApp`.
    public var imports: [String]
    /// The type of the state.
    public var state: String
    /// An expression for the app's reducer.
    public var reducer: String

    /// Creates a setting.
    public init(imports: [String], state: String, reducer: String) {
      self.imports = imports
      self.state = state
      self.reducer = reducer
    }

    var json: JSONTree {
      .object([
        "imports": .array(imports.map { .string($0) }), "state": .string(state), "reducer": .string(reducer),
      ])
    }
  }

  /// The source of the test.
  public let source: String

  /// Plays a recording and generates a test of some of its actions.
  /// - Parameters:
  ///   - numbers: The numbers of the actions, counted from 1.
  ///   - recording: The recording.
  ///   - reducer: The app's reducer.
  ///   - setting: The names that depend on the app.
  /// - Throws: ``RecordingError``, also for numbers outside the recording, or an error of the state's own encoding.
  public init<Action: Codable & Sendable, State: Codable & Sendable>(
    of numbers: ClosedRange<Int>, in recording: Recording<Action, State>, reducer: Reducer<Action, State>,
    setting: Setting
  ) throws {
    let (first, last) = (numbers.lowerBound, numbers.upperBound)
    guard first >= 1, last <= recording.count else {
      throw RecordingError.noSuchActions(path: recording.name, numbers: numbers, count: recording.count)
    }
    var player = ActionPlayer(recording, reducer: reducer)
    try player.jump(to: first - 1)
    let encoder = TreeEncoder(remembers: true)
    var state = try encoder.encode(player.state)
    let app = ActionTitle.oneLine("\(recording.header.app) \(recording.header.version)")
    var text = """
      // Actions \(first) to \(last) of a recording of \(app).
      \(["ReeluxRecording", "ReeluxTesting", "Testing"].map { "import \($0)" }.joined(separator: "\n"))

      \(setting.imports.joined(separator: "\n"))

      @Test func recordedActions\(first)To\(last)() async throws {
        let store = TestStore(
          initialState: try RecordedJSON.value(\(Self.literal(state.text)), as: \(setting.state).self),
          reducer: \(setting.reducer))

      """
    let hasParts = last - first >= Self.partLength
    let indent = hasParts ? "    " : "  "
    for start in stride(from: first, through: last, by: Self.partLength) {
      let end = min(last, start + Self.partLength - 1)
      let part = "actions\(start)To\(end)()"
      if hasParts { text += "\n  try await \(part)\n  func \(part) async throws {\n" }
      while player.position < end {
        // Checksums are not compared here, because the test states the behaviour of this reducer.
        let recorded = try player.advance()
        let action = try TreeEncoder().encode(recorded.action)
        let after = try encoder.encode(player.state)
        text += recorded.number == start && hasParts ? "" : "\n"
        text += "\(indent)// \(recorded.number)  \(ActionTitle.of(action))\n"
        text += "\(indent)await store.send(try RecordedJSON.value(\(Self.literal(action.text))))"
        if let patch = JSONPatch.between(state, after) {
          text += " {\n\(indent)  try RecordedJSON.change(&$0, by: \(Self.literal(patch.text)))\n\(indent)}"
        }
        text += "\n"
        state = after
      }
      if hasParts { text += "  }\n" }
    }
    source = text + "}\n"
  }

  /// The largest number of actions in one function. A longer test has nested functions, because the compiler's time and
  /// memory grow much faster than the length of an async function.
  static let partLength = 50

  /// A raw string literal with the JSON. A number sign that would end the literal, or begin an escape, is written as an
  /// escape of JSON. Such a sign occurs only in strings.
  private static func literal(_ json: String) -> String {
    var bytes: [UInt8] = []
    for byte in json.utf8 {
      let endsLiteral =
        byte == UInt8(ascii: "#") && (bytes.last == UInt8(ascii: "\"") || bytes.last == UInt8(ascii: "\\"))
      if endsLiteral { bytes += Array("\\u0023".utf8) } else { bytes.append(byte) }
    }
    return "#\"\(String(decoding: bytes, as: UTF8.self))\"#"
  }
}

/// Values and changes in the format of a recording, for generated tests.
public enum RecordedJSON {
  /// Returns a value from its JSON.
  /// - Throws: An error that names the type and the reason if the JSON does not fit the type.
  public static func value<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try naming("the JSON is not a value of type \(type)") {
      try TreeDecoder.decode(type, from: try JSONParser.parse(json.utf8))
    }
  }

  /// Applies a recorded change to a value.
  /// - Throws: An error that names the type and the reason if the change is not JSON or does not fit the value, or
  ///   another error if the value cannot be encoded.
  public static func change<Value: Codable>(_ value: inout Value, by json: String) throws {
    let failure = "the change cannot be applied to a value of type \(Value.self)"
    let change = try naming(failure) { try JSONParser.parse(json.utf8).tree }
    guard let changed = JSONPatch.applied(change, to: try TreeEncoder().encode(value)) else {
      throw Failure(description: "\(failure): it does not fit the value")
    }
    value = try naming(failure) { try TreeDecoder.decode(Value.self, from: try JSONParser.parse(changed.bytes)) }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func naming<Result>(_ failure: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw Failure(description: "\(failure): \(TreeDecoder.reason(error))")
    }
  }
}
