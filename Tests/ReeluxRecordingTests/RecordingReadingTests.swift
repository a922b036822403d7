import ReeluxCore
import ReeluxLoggerTestSupport
import Foundation
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct RecordingReadingTests {
  @Test func aCutOffLastLineIsLeftOutAndReported() throws {
    let recorded = try ShopRecording()
    // The process was killed while it wrote the last action.
    let text = try recorded.lines.dropLast().joined(separator: "\n")
    try recorded.rewrite(String(text.dropLast(30)))
    let recording = try recorded.read()
    #expect(recording.count == 4)
    guard case .cutOff(line: 6, let bytes) = recording.ending else {
      Issue.record("ending \(recording.ending)")
      return
    }
    #expect(bytes > 30)
  }

  @Test func aLineThatIsAddedWhileAFileIsReadIsNotRead() throws {
    let recorded = try ShopRecording()
    let lines = try recorded.lines
    try recorded.rewrite(lines.dropLast().joined(separator: "\n") + "\n")
    let bytes = try RecordingBytes(path: recorded.path)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: recorded.path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(try #require(lines.last).utf8.dropLast(30)))
    let scan = try RecordingScan(bytes)
    #expect(scan.damage == nil)
    #expect(scan.ending == .open)
    #expect(scan.count == 5)
  }

  @Test func aHeaderThatIsCutOffIsReportedAsCutOff() throws {
    let recorded = try ShopRecording()
    try recorded.rewrite(String(try #require(try recorded.lines.first).dropLast(40)))
    #expect(
      throws: RecordingError.noHeader(
        path: recorded.path, reason: "it is not JSON; the file ends inside this line")
    ) {
      try recorded.read()
    }
  }

  @Test(arguments: ["\n\n", "\n \t\n", "  ", "\r\n\r\n"]) func blankLinesAfterTheEndAreNoDamage(blank: String) throws {
    let recorded = try ShopRecording()
    try recorded.rewrite(try recorded.lines.joined(separator: "\n") + "\n" + blank)
    let recording = try recorded.read()
    #expect(recording.damage == nil)
    #expect(recording.ending == .closed)
    #expect(try recording.actions().count == 5)
  }

  @Test func theMissingEndIsInTheLineAfterAllOthers() throws {
    let directory = try TemporaryDirectory()
    let recorder = try ActionRecorder<Int, Int>(path: directory.path + "/run", app: "T", version: "1")
    let store = Store(initialState: 0, feature: Feature(reducer: Reducer { $1 += $0 }) <> .recorder(recorder))
    for number in 1...10_001 { store.dispatch(number) }
    try recorder.close()
    let lines = try directory.lines("run").dropLast()
    let recording = try Recording<Int, Int>(bytes: (lines.joined(separator: "\n") + "\n").utf8)
    // The header, the actions and a snapshot.
    #expect(lines.count == 10_003)
    #expect(RecordingUnfinished(recording)?.description.hasPrefix("recording:10004: ") == true)
  }

  /// The end of a directory is not known in some file systems, as that of a pipe, and it cannot be read.
  @Test(.enabled(if: directoryWithoutEnd)) func aFileThatCannotBeReadIsNotEmpty() throws {
    #expect(throws: RecordingError.system(path: "/dev", reason: "the file cannot be read: Is a directory")) {
      _ = try Recording<ShopAction, ShopState>(path: "/dev")
    }
  }

  private static let directoryWithoutEnd: Bool = {
    let descriptor = unsafe open("/dev", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return descriptor >= 0 && lseek(descriptor, 0, SEEK_END) < 0
  }()

  @Test func aRecordingIsReadFromAPipe() throws {
    let pipe = try ShopRecording().pipe()
    let recording = try Recording<ShopAction, ShopState>(path: "/dev/fd/\(pipe.fileDescriptor)")
    #expect(try recording.actions().count == 5)
    #expect(recording.ending == .closed)
  }

  /// A device has the size 0, but it is not empty.
  @Test func aDeviceWithoutEndIsNoRecording() {
    #expect(throws: RecordingError.noHeader(path: "/dev/zero", reason: "it is not JSON")) {
      _ = try Recording<ShopAction, ShopState>(path: "/dev/zero")
    }
  }

  @Test func aLastLineThatIsWholeButForItsEndIsRead() throws {
    let recorded = try ShopRecording()
    let text = try String(contentsOfFile: recorded.path, encoding: .utf8)
    try recorded.rewrite(String(text.dropLast()))
    #expect(try recorded.read().count == 5)
    #expect(try recorded.read().ending == .closed)
  }

  @Test func everyCutOfARecordingIsReadOrRefusedWithAReason() throws {
    let recorded = try ShopRecording([.add("é"), .tick])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: recorded.path)))
    let header = try #require(bytes.firstIndex(of: 0x0a))
    for length in 0..<bytes.count {
      if length < header {
        #expect(throws: RecordingError.self) {
          _ = try Recording<ShopAction, ShopState>(bytes: bytes[..<length])
        }
      } else {
        let recording = try Recording<ShopAction, ShopState>(bytes: bytes[..<length])
        #expect(recording.count <= 2)
      }
    }
  }

  @Test(arguments: [
    ("", "99b6af62e3885e8f"), ("a", "c24efef11c5ac9db"), ("eightchr", "e80719e15f673776"),
    ("eightchr9", "a0b48beea1db7ffe"),
  ])
  func theChecksumsOfEarlierRecordingsRemain(text: String, checksum: String) {
    #expect(Digest.text(RecordingLine.chain(Array(text.utf8)[...], after: Digest().value)) == checksum)
  }

  @Test func aNumberIsReadOnlyFromANumberThatFits() throws {
    for text in [#""12""#, "1.5", "true", "[1]", "9223372036854775808"] {
      #expect(throws: DecodingError.self) { try TreeDecoder.decode(Int.self, from: JSONParser.parse(text.utf8)) }
    }
    for text in [#""1.5""#, "true", "[1]"] {
      #expect(throws: DecodingError.self) { try TreeDecoder.decode(Double.self, from: JSONParser.parse(text.utf8)) }
    }
    #expect(try TreeDecoder.decode(Int.self, from: JSONParser.parse("-12".utf8)) == -12)
    #expect(try TreeDecoder.decode(Double.self, from: JSONParser.parse("-1.5".utf8)) == -1.5)
  }

  @Test func anActionThatTheAppNoLongerKnowsIsNamedInPlainWords() throws {
    enum Other: Codable { case add(Int) }
    let recorded = try ShopRecording([.add("tea")])
    let recording = try Recording<Other, ShopState>(path: recorded.path)
    let error = #expect(throws: RecordingError.self) { _ = try recording.actions() }
    #expect(
      error?.description.hasSuffix(
        ":2: the line cannot be read: 'add._0' is not a whole number that fits;"
          + " use the version of the app that recorded it") == true)
  }

  @Test func anEmptyFileIsRefused() {
    #expect(throws: RecordingError.empty(path: "recording")) {
      _ = try Recording<ShopAction, ShopState>(bytes: [])
    }
  }

  @Test(arguments: [
    "\n\n", "hello", "{}", "[1]", #"{"format":"other","schema":1}"#, #"{"format":"reelux-recording","schema":2}"#,
  ])
  func aFileWithoutHeaderIsRefused(text: String) {
    let error = #expect(throws: RecordingError.self) {
      _ = try Recording<ShopAction, ShopState>(bytes: text.utf8)
    }
    #expect(error?.description.contains(":1: this is not the header of a recording") == true)
  }

  @Test(arguments: ["2.0", "1.5", "2e0", "99999999999999999999"])
  func aSchemaThatIsNoWholeNumberIsNamed(schema: String) {
    let text = #"{"format":"reelux-recording","schema":\#(schema)}"#
    let error = RecordingError.noHeader(path: "recording", reason: "its schema is '\(schema)'")
    #expect(throws: error) { _ = try Recording<ShopAction, ShopState>(bytes: text.utf8) }
  }

  @Test(arguments: [(99, "Use a newer version."), (1, "Record the run again.")])
  func anotherSchemaIsRefused(schema: Int, advice: String) {
    let text = #"{"format":"reelux-recording","schema":\#(schema)}"#
    let error = #expect(throws: RecordingError.otherSchema(path: "recording", found: schema, known: 2)) {
      _ = try Recording<ShopAction, ShopState>(bytes: text.utf8)
    }
    #expect(error?.description.hasSuffix(advice) == true)
  }
}
