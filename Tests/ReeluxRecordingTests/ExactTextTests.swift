import ReeluxCore
import ReeluxDiff
import Testing

@testable import ReeluxRecording

/// Swift compares two texts as equal if they differ only in their normalization. In JSON, they are two texts.
@Suite(.timeLimit(.minutes(15))) struct ExactTextTests {
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  /// An object whose names are the given ones.
  private struct Named: Codable {
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var members: [(name: String, value: Int)]
    /// Whether each value is in an object of its own.
    var isNested = false

    init(_ members: [(name: String, value: Int)], isNested: Bool = false) {
      self.members = members
      self.isNested = isNested
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      members = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for member in members {
        let name = Name(stringValue: member.name)
        if isNested {
          var nested = container.nestedContainer(keyedBy: Name.self, forKey: name)
          try nested.encode(member.value, forKey: Name(stringValue: "value"))
        } else {
          try container.encode(member.value, forKey: name)
        }
      }
    }
  }

  @Test func namesInTwoNormalizationsAreTwoMembers() throws {
    for members in [[(Self.composed, 1), (Self.decomposed, 2)], [(Self.decomposed, 2), (Self.composed, 1)]] {
      for remembers in [false, true] {
        let tree = try TreeEncoder(remembers: remembers).encode(Named(members))
        #expect(Array(tree.text.utf8) == Array(#"{"e\#u{301}":2,"\#u{E9}":1}"#.utf8))
        let read = try TreeDecoder.decode(Named.self, from: try JSONParser.parse(tree.bytes))
        #expect(read.members.map(\.value) == [2, 1])
        let nested = try TreeEncoder(remembers: remembers).encode(Named(members, isNested: true))
        #expect(Array(nested.text.utf8) == Array(#"{"e\#u{301}":{"value":2},"\#u{E9}":{"value":1}}"#.utf8))
      }
    }
  }

  @Test func aNameThatChangesItsNormalizationChangesTheOrderOfTheMembers() throws {
    let encoder = TreeEncoder(remembers: true)
    for name in [Self.composed, Self.decomposed, Self.composed] {
      let state = Named([("f", 1), (name, 2)])
      #expect(try encoder.encode(state).bytes == TreeEncoder().encode(state).bytes)
    }
  }

  @Test func aPatchChangesTheNormalizationOfANameAndOfAText() throws {
    let values = try [
      #"{"\#u{E9}":1,"f":2}"#, #"{"e\#u{301}":1,"f":2}"#, #"{"e\#u{301}":{"a":1},"f":2}"#,
      #"{"e\#u{301}":{"a":1},"f":2,"\#u{E9}":{"a":2}}"#, #"{"f":"\#u{E9}"}"#, #"{"f":"e\#u{301}"}"#,
    ].map { text in JSONTree.object(try members(of: text)) }
    for old in values {
      for new in values {
        let made = JSONPatch.between(old, new).flatMap { JSONPatch.applied($0, to: old) } ?? old
        #expect(made.bytes == new.bytes)
      }
    }
  }

  /// The members of an object, with digests.
  private func members(of text: String) throws -> [JSONTree.Member] {
    func digested(_ tree: JSONTree) -> JSONTree {
      guard case .object(let members) = tree.content else { return JSONTree(tree.content) }
      return .object(members.map { JSONTree.Member(name: $0.name, value: digested($0.value)) })
    }
    guard case .object(let members) = digested(try JSONParser.parse(text.utf8).tree).content else { return [] }
    return members
  }

  /// A pattern that is typed in one normalization must not show a secret whose name has another.
  @Test func aRedactionMatchesANameInEachNormalization() throws {
    let tree = JSONTree.object([.init(name: "cl\(Self.decomposed)", value: .string("secret"))])
    var redaction = JSONRedaction([ValuePathPattern("cl\(Self.composed)")])
    #expect(!redaction.redacted(tree).text.contains("secret"))
    #expect(redaction.unmatched.isEmpty)
  }

  @Test func aReportHasBothTextsThatDifferInTheirNormalization() {
    var table = TextTable()
    #expect([Self.composed, Self.decomposed, Self.composed].map { table.number(of: "\"\($0)\"") } == [0, 1, 0])
    #expect(table.texts == Array("\"\(Self.composed)\",\"\(Self.decomposed)\"".utf8))
  }
}
