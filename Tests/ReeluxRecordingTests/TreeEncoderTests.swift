import Foundation
import ReeluxLoggerTestSupport
import ReeluxCore
import ReeluxTesting
import Testing

@testable import ReeluxRecording

struct Everything: Codable, Equatable {
  enum Mode: String, Codable { case fast }
  enum Event: Codable, Equatable {
    case idle
    case moved(x: Double, y: Double)
    case nested(Mode)
  }

  var flag = true
  var small: Int8 = -3
  var big: UInt64 = .max
  var real = 0.1
  var tiny = Double.leastNonzeroMagnitude
  var single: Float = 1.5
  var limits: [Double] = [.infinity, -.infinity, 1e300, -0.0]
  var text = "a\"b\u{0}<é"
  var names: Set<String> = ["b", "a", "c"]
  var nested: [String: Set<Int>] = ["x": [3, 1, 2], "": []]
  var keyed: [Int: String] = [10: "j", 9: "i"]
  var pairs: [Event2: Int] = [.left: 1, .right: 2]
  var events: [Event] = [.idle, .moved(x: 1, y: 2), .nested(.fast)]
  var missing: String?
  var date = Date(timeIntervalSinceReferenceDate: 123.25)
  var data = Data([0, 255, 7])
  var url = URL(string: "https://example.org/a?b=c")
  var price = Decimal(string: "12.50")

  enum Event2: Codable { case left, right }
}

private class Animal: Codable {
  var name = "cat"
}

@Suite(.timeLimit(.minutes(15))) struct TreeEncoderTests {
  private func decoded<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type) throws -> Value {
    try TreeDecoder.decode(type, from: try JSONParser.parse(bytes))
  }

  @Test func whatItWritesReadsBack() throws {
    let bytes = try TreeEncoder().encode(Everything()).bytes
    #expect(try decoded(bytes, as: Everything.self) == Everything())
  }

  /// This is the reason for the module's own parser: Foundation's parser keeps a number's value but not its text.
  @Test func numbersKeepTheirTextUnlikeInFoundation() throws {
    let text = "[0.10,1234567890123456789012345678901234567890,1e400,12.50]"
    #expect(try JSONParser.parse(text.utf8).tree.text == text)
    let known = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    let written = try known.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
    #expect(written != text)
  }

  @Test func notANumberReadsBack() throws {
    let bytes = try TreeEncoder().encode([Double.nan]).bytes
    #expect(try decoded(bytes, as: [Double].self)[0].isNaN)
  }

  @Test func integersOf128BitsReadBack() throws {
    struct Wide: Codable, Equatable {
      var small: Int128? = .min
      var large = UInt128.max
      var both: [Int128] = [.max, 0]
      var missing: UInt128?
    }
    /// A list that is encoded by hand.
    struct Row: Codable, Equatable {
      var (small, large) = (Int128.min, UInt128.max)

      init() {}
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        (small, large) = (try list.decode(Int128.self), try list.decode(UInt128.self))
      }

      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(small)
        try list.encode(large)
      }
    }
    #expect(try decoded(try TreeEncoder().encode(Wide()).bytes, as: Wide.self) == Wide())
    #expect(try decoded(try TreeEncoder().encode(Row()).bytes, as: Row.self) == Row())
  }

  @Test func aDecimalThatIsNotANumberReadsBack() throws {
    let bytes = try TreeEncoder().encode([Decimal.nan, Decimal.greatestFiniteMagnitude]).bytes
    let values = try decoded(bytes, as: [Decimal].self)
    #expect(values[0].isNaN)
    #expect(values[1] == Decimal.greatestFiniteMagnitude)
  }

  /// A value with a value of its own type inside: in an object, a list or the payload of a case.
  private indirect enum Chain: Codable {
    case end
    case object([String: Chain])
    case list([Chain])

    init(levels: Int, isList: Bool) {
      self = .end
      for _ in 0..<levels { self = isList ? .list([self]) : .object(["next": self]) }
    }

    init(from decoder: any Decoder) throws {
      if let list = try? [Chain](from: decoder) {
        self = .list(list)
      } else {
        let inner = try [String: Chain](from: decoder)
        self = inner.isEmpty ? .end : .object(inner)
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .end: _ = encoder.container(keyedBy: PositionKey.self)
      case .object(let inner): try inner.encode(to: encoder)
      case .list(let inner): try inner.encode(to: encoder)
      }
    }
  }

  @Test(arguments: [true, false]) func whatIsNestedTooDeeplyToBeReadIsRefused(isList: Bool) throws {
    // The value is one level inside of its line, and its innermost value is a level too.
    let deepest = try TreeEncoder().encode(Chain(levels: 510, isList: isList)).bytes
    #expect(throws: Never.self) { try JSONParser.parse(Array("[".utf8) + deepest + Array("]".utf8)) }
    let name = isList ? "0.0.0" : "next.next.next"
    for levels in [511, 2_000] {
      let error = #expect(throws: (any Error).self) {
        _ = try TreeEncoder(remembers: true).encode(Chain(levels: levels, isList: isList))
      }
      #expect(error.map { "\($0)" } == "'\(name).…' is nested more than 511 levels deep")
    }
  }

  @Test func theNestingOfAPayloadCounts() throws {
    enum Event: Codable { case moved(to: [[Int]]) }
    let inside = Array(repeating: "a", count: 508)
    struct Outer: Encodable {
      var names: ArraySlice<String>
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PositionKey.self)
        guard let name = names.first else { return try container.encode(Event.moved(to: [[]]), forKey: .init(0)) }
        try container.encode(Outer(names: names.dropFirst()), forKey: .init(stringValue: name))
      }
    }
    #expect(throws: (any Error).self) { _ = try TreeEncoder().encode(Outer(names: inside[...])) }
    #expect(throws: Never.self) { _ = try TreeEncoder().encode(Outer(names: inside.dropFirst(2))) }
  }

  @Test func aLargeDictionaryIsReadInTimeProportionalToItsKeys() throws {
    func time(_ count: Int) throws -> Int {
      let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
      let json = try JSONParser.parse(try TreeEncoder().encode(values).bytes)
      let start = ThreadTime.now
      #expect(try TreeDecoder.decode([String: Int].self, from: json) == values)
      return ThreadTime.now - start
    }
    _ = try time(100)
    // Sixteen times the keys took about 256 times as long when each key was searched from the first one.
    #expect(try time(16_000) < time(1_000) * 64)
  }

  @Test(arguments: ["+041", "-000", "00g1", " 041"]) func anEscapeHasFourDigits(digits: String) {
    #expect(throws: JSONParser.Problem.self) { try JSONParser.parse("\"\\u\(digits)\"".utf8) }
  }

  @Test func namesThatOnlyLookAlikeAreFoundInALargeObject() throws {
    var text = "{" + (0..<40).map { #""k\#($0)":\#($0),"# }.joined()
    text += #""é":100,"e\u0301":101,"a\nb":102,"k7":103}"#
    let json = try JSONParser.parse(text.utf8)
    struct Names: Decodable {
      var found: [Int?] = []
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PositionKey.self)
        for name in ["é", "e\u{301}", "a\nb", "k7", "k39", "k40"] {
          found.append(try container.decodeIfPresent(Int.self, forKey: PositionKey(stringValue: name)))
        }
      }
    }
    #expect(try TreeDecoder.decode(Names.self, from: json).found == [100, 101, 102, 7, 39, nil])
  }

  @Test func setsAndDictionariesAreInAnOrderThatDoesNotDependOnHashing() throws {
    let words = (0..<100).map { "w\($0 * 7919)" }
    let small = Set(words)
    let large = Set<String>(minimumCapacity: 4_096).union(words.reversed())
    #expect(try TreeEncoder().encode(small).bytes == TreeEncoder().encode(large).bytes)
    let text = try TreeEncoder().encode(Everything()).bytes
    #expect(String(decoding: text, as: UTF8.self).contains(#""names":["a","b","c"],"nested":{"":[],"x":[1,2,3]}"#))
    #expect(String(decoding: text, as: UTF8.self).contains(#""pairs":[{"left":{}},1,{"right":{}},2]"#))
  }

  @Test func anErrorOfAValueIsPassedOn() {
    struct Refusal: Error {}
    struct Stubborn: Encodable {
      func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    #expect(throws: Refusal.self) { _ = try TreeEncoder().encode([Stubborn()]) }
  }

  @Test func aClassReadsBack() throws {
    let bytes = try TreeEncoder().encode(Animal()).bytes
    #expect(try decoded(bytes, as: Animal.self).name == "cat")
  }

  @Test func anElementThatIsNotOfOneTypeIsDecodedAsAnother() throws {
    struct Mixed: Decodable {
      var words: [String] = []
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
          if let number = try? list.decode(Int.self) {
            words.append("\(number)")
          } else {
            words.append(try list.decode(String.self))
          }
        }
      }
    }
    #expect(try decoded(Array(#"[1,"two",3]"#.utf8), as: Mixed.self).words == ["1", "two", "3"])
  }

  @Test func theLastOfSeveralValuesOfAKeyCounts() throws {
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Names.self)
        try container.encode(1, forKey: .name)
        try container.encode(2, forKey: .name)
      }
      enum Names: CodingKey { case name }
    }
    #expect(String(decoding: try TreeEncoder().encode(Twice()).bytes, as: UTF8.self) == #"{"name":2}"#)
  }

  @Test func aChecksumTellsWhichPartDiffers() throws {
    let one = try TreeEncoder().encode(ShopState())
    let two = try TreeEncoder().encode(ShopState(cart: ["x"]))
    #expect(one.digest != two.digest)
    #expect(one.parts.filter { two.parts[$0.key] != $0.value }.map(\.key) == ["cart"])
  }
}

@Suite(.timeLimit(.minutes(15))) struct TreeMemoTests {
  private struct Library: Codable, Equatable {
    var shelf = Shelf()
    var names: Set<String> = ["a"]
    var event = Everything.Event.moved(x: 1, y: 2)
    var maybe: Int?
  }

  private struct Shelf: Codable, Equatable {
    var books = Books()
    var view = 0
  }

  private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// A value that counts how often it is encoded. Each test has its own counter, because tests run concurrently.
  private struct Books: Codable, Equatable {
    @TaskLocal static var encodings = Counter()
    var titles = ["M"]

    func encode(to encoder: any Encoder) throws {
      Self.encodings.add()
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(titles, forKey: .titles)
    }
  }

  @Test func statesAreEncodedAsWithoutMemory() throws {
    let encoder = TreeEncoder(remembers: true)
    var library = Library()
    for round in 0..<4 {
      library.shelf.view = round
      if round == 2 { library.names = ["c", "b"] }
      if round == 3 { library.event = .idle }
      let fresh = try TreeEncoder().encode(library)
      let remembered = try encoder.encode(library)
      #expect(remembered.text == fresh.text)
      #expect(remembered.digest == fresh.digest)
    }
  }

  @Test func listsThatChangeAreEncodedAsWithoutMemory() throws {
    let random = SeededRandom(seed: 11)
    let encoder = TreeEncoder(remembers: true)
    var list = (0..<20).map { (number: Int) in Entry(id: "id \(number)", value: number) }
    for round in 0..<500 {
      switch random.integer(in: 0...4) {
      case 0: list.insert(Entry(id: "new \(round)", value: round), at: random.integer(in: 0...list.count))
      case 1 where !list.isEmpty: list.remove(at: random.integer(in: 0...(list.count - 1)))
      case 2 where !list.isEmpty: list[random.integer(in: 0...(list.count - 1))].value = round
      case 3: list.reverse()
      default: list.append(Entry(id: "", value: nil))
      }
      #expect(try encoder.encode(list).text == TreeEncoder().encode(list).text)
    }
  }

  private struct Entry: Codable {
    var id: String
    var value: Int?
  }

  @Test func whatDidNotChangeIsNotEncodedAgain() throws {
    let encodings = Counter()
    try Books.$encodings.withValue(encodings) {
      let encoder = TreeEncoder(remembers: true)
      var library = Library()
      _ = try encoder.encode(library)
      let before = encodings.count
      library.shelf.view = 1
      _ = try encoder.encode(library)
      #expect(encodings.count == before)
      library.shelf.books.titles = ["N"]
      _ = try encoder.encode(library)
      #expect(encodings.count == before + 1)
    }
  }

  @Test func oneElementOfAThousandIsEncodedAlone() throws {
    let encodings = Counter()
    try Books.$encodings.withValue(encodings) {
      let encoder = TreeEncoder(remembers: true)
      var shelves = (0..<1_000).map { number in Shelf(books: Books(titles: ["title \(number)"])) }
      _ = try encoder.encode(shelves)
      let before = encodings.count
      shelves[500].books.titles = ["other"]
      shelves.removeFirst()
      _ = try encoder.encode(shelves)
      #expect(encodings.count == before + 1)
    }
  }

  /// A key whose release can be observed, and a value that is encoded with a nested container, as every enum is.
  private final class Trace: Sendable {}

  private struct TracedKey: CodingKey {
    let trace: Trace?
    var stringValue: String { "traced" }
    var intValue: Int? { nil }
    init(_ trace: Trace) { self.trace = trace }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }

  private struct Traced: Encodable {
    let trace: Trace
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: TracedKey.self)
      var inner = container.nestedContainer(keyedBy: TracedKey.self, forKey: TracedKey(trace))
      try inner.encode(1, forKey: TracedKey(trace))
    }
  }

  @Test func whatAValueWasEncodedWithIsFreed() throws {
    weak var seen: Trace?
    do {
      let trace = Trace()
      seen = trace
      #expect(try TreeEncoder().encode(Traced(trace: trace)).text == #"{"traced":{"traced":1}}"#)
    }
    #expect(seen == nil)
  }

  private enum Phase: String, Codable { case running }

  @Test func aRawCaseIsATextThatIsKnownAsACase() throws {
    let tree = try TreeEncoder().encode(["a": Phase.running])
    #expect(tree.text == #"{"a":"running"}"#)
    #expect(tree["a"]?.isCase == true)
    #expect(try TreeEncoder().encode(["a": "running"])["a"]?.isCase == false)
    #expect(tree == (try TreeEncoder().encode(["a": "running"])))
  }
}
