import Foundation
import ReeluxLoggerTestSupport
import ReeluxCore
import Testing

@testable import ReeluxRecording

/// Every kind of damage of a recording with nine actions, and the resulting messages.
@Suite(.timeLimit(.minutes(15))) struct RecordingDamageTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var said: String
    var change: @Sendable (inout [String]) -> Void
    var testDescription: String { name }

    init(_ name: String, _ said: String, _ change: @escaping @Sendable (inout [String]) -> Void) {
      self.name = name
      self.said = said
      self.change = change
    }
  }

  private static let actions: [ShopAction] = [
    .add("tea"), .count(.up), .tick, .add("milk"), .login(user: "ada", password: "x"), .remove("tea"), .count(.by(5)),
    .count(.by(-2)), .tick,
  ]
  private static let changed = "the line was changed after it was written"

  /// Replaces a text in a line, counted from 1.
  private static func replace(_ line: Int, _ old: String, _ new: String) -> @Sendable (inout [String]) -> Void {
    { lines in lines[line - 1] = lines[line - 1].replacing(old, with: new) }
  }

  private static func drop(_ lines: ClosedRange<Int>) -> @Sendable (inout [String]) -> Void {
    { $0.removeSubrange((lines.lowerBound - 1)...(lines.upperBound - 1)) }
  }

  private static func copy(_ line: Int, before place: Int) -> @Sendable (inout [String]) -> Void {
    { $0.insert($0[line - 1], at: place - 1) }
  }

  private static func swap(_ one: Int, _ other: Int) -> @Sendable (inout [String]) -> Void {
    { $0.swapAt(one - 1, other - 1) }
  }

  private static func move(_ line: Int, before place: Int) -> @Sendable (inout [String]) -> Void {
    { $0.insert($0.remove(at: line - 1), at: place - 1) }
  }

  /// Computes the chain of one line again, as a forger would.
  private static func rechained(_ line: Int, _ old: String, _ new: String) -> @Sendable (inout [String]) -> Void {
    { lines in
      var chain = Digest().value
      for index in lines.indices.prefix(line) {
        var bytes = Array(lines[index].utf8)
        if index == line - 1, !old.isEmpty { bytes = Array(lines[index].replacing(old, with: new).utf8) }
        let content = RecordingLine.split(bytes[...]).map { Array($0.content) } ?? []
        var made = content
        chain = RecordingLine.close(&made, from: 0, after: chain)
        if index == line - 1 { lines[index] = String(decoding: made.dropLast(), as: UTF8.self) }
      }
    }
  }

  /// The same, with the chains of all lines after it: only the numbers tell.
  private static func forged(_ line: Int, _ old: String, _ new: String) -> @Sendable (inout [String]) -> Void {
    { lines in
      replace(line, old, new)(&lines)
      for number in line...lines.count { rechained(number, "", "")(&lines) }
    }
  }

  static let kinds: [Kind] =
    [
      Kind(
        "an action has another number, and all chains are made anew", "5: \(changed)",
        forged(5, #""number":4"#, #""number":7"#)),
      Kind(
        "the end has another number, and its chain is made anew", "11: \(changed)",
        forged(11, #""end":9"#, #""end":8"#)),
      Kind("the header's program", "1: \(changed)", replace(1, "Shop", "Shed")),
      Kind("the header's version", "1: \(changed)", replace(1, #""version":"1.2""#, #""version":"1.3""#)),
      Kind("the header's seed", "1: \(changed)", replace(1, #""seed":42"#, #""seed":43"#)),
      Kind("the header's time", "1: \(changed)", replace(1, #""began":1"#, #""began":2"#)),
      Kind("the initial state", "1: \(changed)", replace(1, #""cart":[]"#, #""cart":["x"]"#)),
      Kind("the header's schema", "1: the recording has schema 9", replace(1, #""schema":2"#, #""schema":9"#)),
      Kind(
        "the header's format", "1: this is not the header of a recording: its format is 'other'",
        replace(1, "reelux-recording", "other")),
      Kind("the header's checksum of the state", "1: \(changed)", replace(1, #""checksum":""#, #""checksum":"0"#)),
      Kind("the header is lost", "1: this is not the header of a recording: it does not name a format", drop(1...1)),
      Kind("the header is repeated", "2: the line was changed after it was written", copy(1, before: 2)),
      Kind("the header stands second", "1: this is not the header of a recording", swap(1, 2)),
      Kind("the header without its chain", "1: the header does not end with its 'chain'") { lines in
        lines[0] = lines[0].replacing(/,"chain":"[0-9a-f]+"/, with: "")
      },
      Kind("the header's last byte", "1: this is not the header of a recording: it is not JSON") { $0[0].removeLast() },
      Kind("a mark before the header", "1: this is not the header of a recording: it is not JSON") {
        $0[0] = "\u{feff}" + $0[0]
      },
      Kind("an empty line before the header", "1: this is not the header of a recording: it is not JSON") {
        $0.insert("", at: 0)
      },
      Kind("an added item's name", "2: \(changed)", replace(2, "tea", "rum")),
      Kind("an action's case", "3: \(changed)", replace(3, "up", "UP")),
      Kind("an action for another", "3: \(changed)", replace(3, #""up":{}"#, #""by":{"_0":1}"#)),
      Kind("an amount", "8: \(changed)", replace(8, #""_0":5"#, #""_0":6"#)),
      Kind("an amount's sign", "9: \(changed)", replace(9, #""_0":-2"#, #""_0":2"#)),
      Kind("a password", "6: \(changed)", replace(6, #""password":"x""#, #""password":"y""#)),
      Kind("a time", "4: \(changed)", replace(4, #""time":1"#, #""time":2"#)),
      Kind("a duration", "4: \(changed)", replace(4, #""nanoseconds":1"#, #""nanoseconds":9"#)),
      Kind("a source's file", "5: \(changed)", replace(5, "ReeluxRecordingTests/", "Elsewhere/")),
      Kind("a source's function", "5: \(changed)", replace(5, #""function":""#, #""function":"x"#)),
      Kind("a source's line", "5: \(changed)", replace(5, #""line":"#, #""line":1"#)),
      Kind("a source's info", "5: \(changed)", replace(5, #""info":"recorded""#, #""info":"other""#)),
      Kind("a checksum of the state", "7: \(changed)", replace(7, #""checksum":""#, #""checksum":"0"#)),
      Kind("a checksum of a part", "7: \(changed)", replace(7, #""cart":""#, #""cart":"0"#)),
      Kind("the checksums left out", "7: \(changed)") { lines in
        lines[6] = lines[6].replacing(/"checksum":"[0-9a-f]+",/, with: "")
      },
      Kind("a number higher", "4: \(changed)", replace(4, #"{"number":3"#, #"{"number":33"#)),
      Kind("a number lower", "6: \(changed)", replace(6, #"{"number":5"#, #"{"number":1"#)),
      Kind("a number that is a text", "4: \(changed)", replace(4, #"{"number":3"#, #"{"number":"3""#)),
      Kind("a number that is negative", "4: \(changed)", replace(4, #"{"number":3"#, #"{"number":-3"#)),
      Kind("a huge number", "4: \(changed)", replace(4, #"{"number":3"#, #"{"number":399999999999"#)),
      Kind("a chain's digit", "5: the line's checksum was changed") { lines in
        let last = lines[4].dropLast(3)
        lines[4] = String(last) + (lines[4].dropLast(2).last == "0" ? "1" : "0") + "\"}"
      },
      Kind("a chain in capitals", "5: \(changed)") { lines in
        lines[4] = String(lines[4].dropLast(18)) + "ABCDEFABCDEFABCD\"}"
      },
      Kind("a chain's name", "5: \(changed)", replace(5, #""chain""#, #""chair""#)),
      Kind("a chain's closing quote", "5: \(changed)") { $0[4] = $0[4].dropLast(2) + " }" },
      Kind("a chain left out", "5: \(changed)") { $0[4] = $0[4].replacing(/,"chain":"[0-9a-f]+"/, with: "") },
      Kind("another line's chain", "5: the line's checksum was changed") {
        $0[4] = String($0[4].dropLast(18) + $0[5].suffix(18))
      },
      Kind(
        "a number that does not fit", "4: \(changed)",
        replace(4, #"{"number":3"#, #"{"number":39999999999999999999"#)),
      Kind(
        "two lines are changed", "5: \(changed), or a line before it is lost"
      ) { lines in
        replace(5, "milk", "rum")(&lines)
        replace(6, "ada", "eve")(&lines)
      },
      Kind(
        "an earlier line is repeated and changed",
        "9: \(changed), or it belongs to another place: this line contains action 2, but action 8 was expected"
      ) {
        $0.insert($0[2].replacing("up", with: "UP"), at: 8)
      },
      Kind("one line is lost", "5: action 4 is lost: this line contains action 5", drop(5...5)),
      Kind("the first action is lost", "2: action 1 is lost: this line contains action 2", drop(2...2)),
      Kind("the last action is lost", "10: action 9 is lost: this line contains the end after action 9", drop(10...10)),
      Kind("three lines are lost", "4: the actions 3 to 5 are lost: this line contains action 6", drop(4...6)),
      Kind(
        "all actions are lost", "2: the actions 1 to 9 are lost: this line contains the end after action 9",
        drop(2...10)),
      Kind("a line is repeated", "7: the line is repeated: it equals the line before it", copy(6, before: 7)),
      Kind("a line is repeated twice", "7: the line is repeated: it equals the line before it") { lines in
        lines.insert(lines[5], at: 6)
        lines.insert(lines[5], at: 6)
      },
      Kind("a line is repeated later", "9: the line is repeated: it equals line 3", copy(3, before: 9)),
      Kind("a block is repeated", "6: the line is repeated: it equals line 4") {
        $0.insert(contentsOf: $0[3...4], at: 5)
      },
      Kind("the recording is repeated", "12: the line follows the end of the recording") { $0 += $0 },
      Kind(
        "two neighbours are swapped", "4: lines were moved: this line contains action 4, and action 3 is in line 5",
        swap(4, 5)),
      Kind(
        "two distant lines are swapped", "3: lines were moved: this line contains action 8, and action 2 is in line 9",
        swap(3, 9)),
      Kind(
        "a line is moved forward", "3: lines were moved: this line contains action 3, and action 2 is in line 7",
        move(3, before: 7)),
      Kind(
        "a line is moved back", "4: lines were moved: this line contains action 8, and action 3 is in line 5",
        move(9, before: 4)),
      Kind(
        "the end is moved", "5: lines were moved: this line contains the end after action 9, and action 4 is in line 6",
        move(11, before: 5)),
      Kind("the actions are reversed", "2: lines were moved: this line contains action 9") { $0[1...9].reverse() },
      Kind("an empty line inside", "5: the line is empty") { $0.insert("", at: 4) },
      Kind("spaces before a line", "5: \(changed)") { $0[4] = "  " + $0[4] },
      Kind("a space after a line", "5: \(changed)") { $0[4] += " " },
      Kind("a space inside a line", "5: \(changed)", replace(5, #","time""#, #", "time""#)),
      Kind("line ends of Windows", "1: the file has Windows line ends") { $0 = $0.map { $0 + "\r" } },
      Kind("one line end of Windows", "5: \(changed)") { $0[4] += "\r" },
      Kind("a line cut in the middle", "5: \(changed)") { $0[4] = String($0[4].prefix(60)) },
      Kind("two lines joined", "5: \(changed)") { lines in
        lines[4] += lines.remove(at: 5)
      },
      Kind("a line split in two", "5: \(changed)") { lines in
        let line = lines[4]
        lines[4] = String(line.prefix(50))
        lines.insert(String(line.dropFirst(50)), at: 5)
      },
      Kind("a foreign line", "5: \(changed)") { $0.insert(#"{"hello":"world"}"#, at: 4) },
      Kind("a line that is no JSON", "5: \(changed)") { $0.insert("hello", at: 4) },
      Kind("a zero byte", "5: \(changed)") { $0[4] = $0[4].replacing("milk", with: "mi\0k") },
      Kind(
        "a forged line with its chain", "3: \(changed)",
        { lines in
          // The line itself is then consistent, but the next line is not.
          rechained(2, "tea", "rum")(&lines)
        }),
      Kind("a line after the end", "12: the line follows the end of the recording") { $0.append($0[9]) },
      Kind("a blank line and a line after the end", "13: the line follows the end of the recording") { lines in
        lines += [" ", lines[9]]
      },
      Kind("two blank lines before the end", "11: the line is empty") { $0.insert(contentsOf: ["", ""], at: 10) },
      Kind("the end's number", "11: action 10 is lost: this line contains the end after action 10") { lines in
        lines[10] = lines[10].replacing(#"{"end":9"#, with: #"{"end":10"#)
      },
      Kind("the end's checksum", "11: \(changed)", replace(11, #""checksum":""#, #""checksum":"0"#)),
      Kind("a comment", "3: \(changed)") { $0.insert("# note", at: 2) },
      Kind("a property is added", "5: \(changed)", replace(5, #","time""#, #","extra":1,"time""#)),
    ]

  @Test(arguments: kinds) func everyKindOfDamageIsNamed(kind: Kind) throws {
    let recorded = try ShopRecording(Self.actions)
    var lines = try recorded.lines
    kind.change(&lines)
    try recorded.rewrite(lines.joined(separator: "\n") + "\n")
    var said = ""
    do {
      let recording = try recorded.read()
      said = recording.damage.map { "\($0)" } ?? "nothing"
    } catch {
      said = "\(error)"
    }
    let text = said.replacing(recorded.path + ":", with: "")
    #expect(text.hasPrefix(kind.said), "\(text)")
    if ProcessInfo.processInfo.environment["REELUX_LIST_DAMAGE"] != nil { print("damage | \(kind.name) | \(text)") }
  }

  @Test func thereAreMoreThanSixtyKinds() {
    #expect(Self.kinds.count > 60)
    #expect(Set(Self.kinds.map(\.name)).count == Self.kinds.count)
  }

  @Test func actionsBeforeTheDamageAreRead() throws {
    let recorded = try ShopRecording(Self.actions)
    var lines = try recorded.lines
    lines.remove(at: 5)
    try recorded.rewrite(lines.joined(separator: "\n") + "\n")
    let recording = try recorded.read()
    #expect(try recording.actions().map(\.action) == Array(Self.actions.prefix(4)))
  }

  @Test func aDamagedRecordingIsNotAlsoUnfinished() throws {
    let recorded = try ShopRecording(Self.actions)
    try recorded.rewrite(try recorded.lines.dropLast().joined(separator: "\n").replacing("milk", with: "rum") + "\n")
    let recording = try recorded.read()
    #expect(recording.damage?.line == 5)
    #expect(RecordingUnfinished(recording) == nil)
  }

  @Test func aLostEndIsNamed() throws {
    let recorded = try ShopRecording(Self.actions)
    try recorded.rewrite(try recorded.lines.dropLast(3).joined(separator: "\n") + "\n")
    let recording = try recorded.read()
    #expect(recording.damage == nil)
    #expect(recording.ending == .open)
    #expect(recording.count == 7)
  }
}
