import Foundation
import ReeluxCore
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct JSONParserTests {
  @Test(arguments: ["01", "1.", "1e", "1e+", "1-2", "-", "-a", "1.e3", "+1", ".5", "[1 2]"])
  func aTextThatIsNoJSONNumberIsAnError(text: String) {
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(text.utf8) }
  }

  @Test(arguments: ["0", "-0", "10", "-12.50", "0.1e3", "1E-2", "1e+05"])
  func aJSONNumberKeepsItsText(text: String) throws {
    #expect(try JSONParser.parse("[\(text)]".utf8).tree.text == "[\(text)]")
  }

  @Test func twoEscapesOfAPairAreOneCharacter() throws {
    #expect(try TreeDecoder.decode([String].self, from: JSONParser.parse(#"["\ud83d\ude00"]"#.utf8)) == ["😀"])
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(#"["\ud83d\u0041"]"#.utf8) }
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(#"["\ud83d"]"#.utf8) }
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(#"["\ude00"]"#.utf8) }
  }

  @Test func everyPrefixOfATextIsAnError() throws {
    let text = Array(#"["\ud83d\ude00\n",true,false,null,-1.5e+3,{"a\tb":[],"c":{}}]"#.utf8)
    #expect(throws: Never.self) { try JSONParser.parse(text) }
    for length in text.indices {
      #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(text[..<length]) }
    }
  }

  @Test(arguments: ["[trux]", "[falsy]", "[nil!]", #"{xa":1}"#, #"["\ud83dxude00"]"#, #"["\ud83d\xde00"]"#])
  func aTextThatIsNoJSONIsAnError(text: String) {
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(text.utf8) }
  }

  @Test(arguments: [#"\n"#, ""]) func aStringThatIsNotUTF8IsAnError(escape: String) {
    let problem = #expect(throws: JSONParser.Problem.self) {
      try JSONParser.parse([0x22, 0xff] + Array(escape.utf8) + [0x22])
    }
    #expect(problem?.reason == "a string is not UTF-8")
  }

  /// Foundation's parser is the model. It also accepts a comma after the last element.
  @Test func aTextIsReadIfFoundationReadsIt() throws {
    var read = 0
    for seed in 1...20_000 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      var bytes = Array(Self.value(&numbers).utf8)
      if numbers.next() % 2 == 0 { Self.damage(&bytes, &numbers) }
      let model = try? Self.text(of: bytes)
      guard let json = try? JSONParser.parse(bytes) else {
        let last = try? /,\s*[\]}]|[\[{]\s*,/.firstMatch(in: String(decoding: bytes, as: UTF8.self))
        #expect(model == nil || last != nil, "seed \(seed): \(bytes)")
        continue
      }
      read += 1
      #expect(try model == Self.text(of: json.tree.bytes), "seed \(seed): \(bytes)")
    }
    #expect(read > 8_000)
  }

  private static func text(of json: [UInt8]) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }

  private static func value(_ numbers: inout SplitMix64, depth: Int = 0) -> String {
    let leaves = ["true", "false", "null", "0", "-0", "-12", "0.5", "1e3", "1E-2", "-1.25e+2"]
    switch numbers.next() % (depth > 4 ? 3 : 7) {
    case 0, 1: return leaves[Int(numbers.next() % 10)]
    case 2: return string(&numbers)
    case 3, 4: return "[" + list(&numbers) { value(&$0, depth: depth + 1) } + "]"
    default: return "{" + list(&numbers) { string(&$0) + blank(&$0) + ":" + value(&$0, depth: depth + 1) } + "}"
    }
  }

  private static func string(_ numbers: inout SplitMix64) -> String {
    let pieces = [#"\u00e9"#, #"\ud83d\ude00"#, #"\n"#, #"\""#, #"\/"#, #"\b"#, #"\u0000"#, #"\\"#, "é", "😀", "a", " "]
    return "\"" + (0..<numbers.next() % 5).map { _ in pieces[Int(numbers.next() % 12)] }.joined() + "\""
  }

  private static func list(_ numbers: inout SplitMix64, _ element: (inout SplitMix64) -> String) -> String {
    (0..<numbers.next() % 4).map { _ in blank(&numbers) + element(&numbers) + blank(&numbers) }.joined(separator: ",")
  }

  private static func blank(_ numbers: inout SplitMix64) -> String {
    ["", "", " ", "\n", "\t\r"][Int(numbers.next() % 5)]
  }

  /// Removes, replaces or inserts one byte.
  private static func damage(_ bytes: inout [UInt8], _ numbers: inout SplitMix64) {
    let place = Int(numbers.next() % UInt64(bytes.count))
    switch numbers.next() % 3 {
    case 0: bytes.remove(at: place)
    case 1: bytes[place] = UInt8(truncatingIfNeeded: numbers.next())
    default: bytes.insert(Array("\"\\,[}0.e-".utf8)[Int(numbers.next() % 9)], at: place)
    }
  }
}
