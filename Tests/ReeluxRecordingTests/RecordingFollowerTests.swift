import Foundation
import ReeluxCore
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct RecordingFollowerTests {
  @Test func aPipeIsFollowedInPiecesOfAnySize() throws {
    let recorded = try ShopRecording()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: recorded.path)))
    for size in [1, 7, 100, bytes.count] {
      var follower = RecordingFollower<ShopAction, ShopState>(path: "standard input")
      var actions: [ShopAction] = []
      var hasEnded = false
      for begin in stride(from: 0, to: bytes.count, by: size) {
        for event in try follower.next(bytes[begin..<min(begin + size, bytes.count)]) {
          switch event {
          case .began(let header, _): #expect(header.app == "Shop")
          case .action(let recorded): actions.append(recorded.action)
          case .ended: hasEnded = true
          }
        }
      }
      #expect(actions == [.add("tea"), .count(.up), .tick, .remove("tea"), .count(.by(5))])
      #expect(hasEnded)
    }
  }

  @Test func aGrowingFileIsFollowedLineByLine() throws {
    let recorded = try ShopRecording()
    let whole = try String(contentsOfFile: recorded.path, encoding: .utf8)
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    var actions: [ShopAction] = []
    var hasEnded = false
    for length in stride(from: 40, through: whole.utf8.count + 40, by: 40) {
      try recorded.rewrite(String(decoding: whole.utf8.prefix(length), as: UTF8.self))
      for event in try follower.next() {
        if case .action(let recorded) = event { actions.append(recorded.action) }
        if case .ended = event { hasEnded = true }
      }
    }
    #expect(actions == [.add("tea"), .count(.up), .tick, .remove("tea"), .count(.by(5))])
    #expect(hasEnded)
  }

  @Test func aFileIsReadInPiecesUpToItsPresentEnd() throws {
    let recorded = try ShopRecording()
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    var counts: [Int] = []
    while counts.last != 0 { counts.append(try follower.next(upTo: 1).count) }
    // The header, five actions and the end.
    #expect(counts == [1, 1, 1, 1, 1, 1, 1, 0])
  }

  @Test func aClosedRecordingNeedsNoLastLineEnd() throws {
    let recorded = try ShopRecording()
    let whole = try recorded.lines.joined(separator: "\n")
    let bytes = Array(whole.utf8)
    try recorded.rewrite(whole)
    var ofFile = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(try ofFile.next().last?.isEnd == true)
    #expect(try ofFile.next().isEmpty)
    try recorded.rewrite(whole + "\n")
    #expect(try ofFile.next().isEmpty)
    try recorded.rewrite(whole + "\nx\n")
    #expect(throws: RecordingDamage.self) { try ofFile.next() }
    for size in [1, 7, bytes.count] {
      var ofPipe = RecordingFollower<ShopAction, ShopState>(path: "standard input")
      var events: [RecordingFollower<ShopAction, ShopState>.Event] = []
      for begin in stride(from: 0, to: bytes.count, by: size) {
        events += try ofPipe.next(bytes[begin..<min(begin + size, bytes.count)])
      }
      #expect(events.count == 7)
      #expect(events.last?.isEnd == true)
      #expect(try ofPipe.next([0x0a]).isEmpty)
    }
  }

  @Test func anActionWithoutItsLineEndIsIncomplete() throws {
    let recorded = try ShopRecording()
    let text = try recorded.lines.prefix(3).joined(separator: "\n")
    try recorded.rewrite(text)
    var ofFile = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(try ofFile.next().count == 2)
    var ofPipe = RecordingFollower<ShopAction, ShopState>(path: "standard input")
    #expect(try ofPipe.next(text.utf8).count == 2)
    #expect(try ofPipe.next([0x0a]).count == 1)
  }

  @Test(arguments: ["shorter", "removed", "replaced"])
  func aFollowedFileThatIsReplacedIsNamed(change: String) throws {
    let recorded = try ShopRecording()
    let lines = try recorded.lines
    try recorded.rewrite(lines.prefix(4).joined(separator: "\n") + "\n")
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(try follower.next().count == 4)
    switch change {
    case "shorter": try recorded.rewrite(lines.prefix(2).joined(separator: "\n") + "\n")
    case "removed": try FileManager.default.removeItem(atPath: recorded.path)
    default:
      let other = try ShopRecording([.tick, .tick, .tick, .add("a longer line than before"), .tick])
      try recorded.rewrite(try other.lines.joined(separator: "\n") + "\n")
    }
    let said = [
      "shorter": "the file has become shorter", "removed": "the file was removed or renamed",
      "replaced": "the line does not follow the one before it",
    ]
    let damage = #expect(throws: RecordingDamage.self) { while !(try follower.next().isEmpty) {} }
    #expect(damage?.description == "\(recorded.path):5: \(said[change] ?? "")")
  }

  @Test func aChangedLineInAPipeIsNamed() throws {
    let text = try ShopRecording().lines.joined(separator: "\n").replacing("tea", with: "rum") + "\n"
    var follower = RecordingFollower<ShopAction, ShopState>(path: "standard input")
    #expect(try follower.next(text.utf8).count == 1)
    let damage = #expect(throws: RecordingDamage.self) { _ = try follower.next([]) }
    #expect(damage?.description == "standard input:2: the line does not follow the one before it")
  }

  private func actions(_ events: [RecordingFollower<ShopAction, ShopState>.Event]) -> [ShopAction] {
    events.compactMap { if case .action(let recorded) = $0 { recorded.action } else { nil } }
  }

  @Test(arguments: [true, false]) func theActionsBeforeADamagedLineAreReturned(isPipe: Bool) throws {
    let recorded = try ShopRecording()
    try recorded.rewrite(try recorded.lines.joined(separator: "\n").replacing("remove", with: "removed") + "\n")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: recorded.path))
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(actions(try isPipe ? follower.next(bytes) : follower.next()) == [.add("tea"), .count(.up), .tick])
    for _ in 0..<2 {
      let damage = #expect(throws: RecordingDamage.self) { _ = try isPipe ? follower.next([]) : follower.next() }
      #expect(damage?.line == 5)
    }
  }

  @Test(arguments: [true, false]) func blankLinesAfterTheEndAreIgnored(isPipe: Bool) throws {
    let recorded = try ShopRecording()
    try recorded.rewrite(try recorded.lines.joined(separator: "\n") + "\n\n \t\n\r\n")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: recorded.path))
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(actions(try isPipe ? follower.next(bytes) : follower.next()).count == 5)
    #expect(try (isPipe ? follower.next([]) : follower.next()).isEmpty)
  }

  @Test(arguments: [true, false]) func aBlankLineAtTheEndOfAnOpenRecordingIsIgnored(isPipe: Bool) throws {
    let recorded = try ShopRecording()
    let lines = try recorded.lines
    let open = lines.dropLast().joined(separator: "\n") + "\n\n"
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    try recorded.rewrite(open)
    #expect(actions(try isPipe ? follower.next(Data(open.utf8)) : follower.next()).count == 5)
    #expect(try (isPipe ? follower.next([]) : follower.next()).isEmpty)
    // A line after it is damage, as for a reader of the whole recording.
    let end = lines[lines.count - 1] + "\n"
    try recorded.rewrite(open + end)
    let damage = #expect(throws: RecordingDamage.self) {
      _ = try isPipe ? follower.next(Data(end.utf8)) : follower.next()
    }
    #expect(damage?.line == lines.count)
  }

  @Test func aMissingFileWasNotRemoved() throws {
    let path = try TemporaryDirectory().path + "/missing.jsonl"
    var follower = RecordingFollower<ShopAction, ShopState>(path: path)
    #expect(
      throws: RecordingError.system(path: path, reason: "the file cannot be read: No such file or directory")
    ) {
      _ = try follower.next()
    }
  }

  @Test func aPipeIsReadAsAWhole() throws {
    let recorded = try ShopRecording()
    let pipe = try recorded.pipe()
    var follower = RecordingFollower<ShopAction, ShopState>(path: "/dev/fd/\(pipe.fileDescriptor)")
    // The header, five actions and the end.
    #expect(try follower.next(upTo: 1).count == 7)
  }

  @Test func aLineWithoutEventDoesNotEndTheReading() throws {
    let recorded = try ShopRecording([.tick])
    try recorded.insert(#"{"snapshot":0,"state":null"#, at: 1)
    var follower = RecordingFollower<ShopAction, ShopState>(path: recorded.path)
    #expect(try follower.next(upTo: 1).count == 1)
    #expect(try actions(follower.next(upTo: 1)) == [.tick])
  }

  @Test func aDamagedLineAfterAPartOfALineIsNamedAgain() throws {
    let header = Array(try #require(try ShopRecording().lines.first).utf8)
    var follower = RecordingFollower<ShopAction, ShopState>(path: "standard input")
    #expect(try follower.next(header.dropLast()).isEmpty)
    #expect(try follower.next(Array("}\nx\n".utf8)).count == 1)
    for _ in 0..<2 {
      let damage = #expect(throws: RecordingDamage.self) { _ = try follower.next([]) }
      #expect(damage?.line == 2)
    }
  }

  @Test func anUnknownActionIsNamedAgainByTheNextCall() throws {
    enum Other: Codable, Sendable { case count(CountAction) }
    let recorded = try ShopRecording([.count(.up), .tick])
    var follower = RecordingFollower<Other, ShopState>(path: recorded.path)
    #expect(try follower.next().count == 2)
    for _ in 0..<2 {
      let error = #expect(throws: RecordingError.self) { _ = try follower.next() }
      #expect(error?.description.contains(":3: the line cannot be read: ") == true)
    }
  }
}

extension RecordingFollower.Event {
  fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
