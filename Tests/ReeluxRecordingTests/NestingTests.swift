import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct NestingTests {
  /// A value that contains itself.
  private enum Endless: String, Encodable {
    case element, list, member

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .element:
        var container = encoder.unkeyedContainer()
        try container.encode(self)
      case .list:
        var container = encoder.singleValueContainer()
        try container.encode([self])
      case .member:
        var container = encoder.container(keyedBy: PositionKey.self)
        try container.encode(self, forKey: PositionKey(stringValue: "next"))
      }
    }
  }

  @Test(arguments: ["element", "list", "member"], [false, true])
  func aValueThatContainsItselfIsRefused(kind: String, remembers: Bool) throws {
    let value = try #require(Endless(rawValue: kind))
    let error = #expect(throws: (any Error).self) { _ = try TreeEncoder(remembers: remembers).encode(value) }
    #expect(error.map { "\($0)".hasSuffix("is nested more than 511 levels deep") } == true)
  }

  /// A list of lists, which are encoded as lists.
  private struct Lists: Encodable {
    var lists: [Lists] = []

    init(levels: Int) { if levels > 1 { lists = [Lists(levels: levels - 1)] } }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(lists)
    }
  }

  @Test(arguments: [false, true]) func listsAreEncodedUpToALimitOfTheirDepth(remembers: Bool) throws {
    let deepest = try TreeEncoder(remembers: remembers).encode(Lists(levels: 511)).text
    #expect(deepest == String(repeating: "[", count: 511) + String(repeating: "]", count: 511))
    #expect(throws: (any Error).self) { _ = try TreeEncoder(remembers: remembers).encode(Lists(levels: 512)) }
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func aTextIsReadUpToALimitOfItsDepth(opening: String, closing: String) throws {
    func text(_ levels: Int) -> String {
      String(repeating: opening, count: levels) + "null" + String(repeating: closing, count: levels)
    }
    #expect(throws: Never.self) { try JSONParser.parse(text(512).utf8) }
    for levels in [513, 100_000] {
      let problem = #expect(throws: JSONParser.Problem.self) { try JSONParser.parse(text(levels).utf8) }
      #expect(problem?.reason == "the JSON is nested more than 512 levels deep")
    }
    // Values beside each other are not deeper.
    #expect(throws: Never.self) {
      try JSONParser.parse("[\(Array(repeating: text(1), count: 600).joined(separator: ","))]".utf8)
    }
  }
}
