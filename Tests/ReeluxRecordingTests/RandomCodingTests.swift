import Foundation
import ReeluxCore
import Testing

@testable import ReeluxRecording

/// Types with their own `encode(to:)` and `init(from:)`, chosen at random. Foundation's coders are the model.
@Suite(.timeLimit(.minutes(15))) struct RandomCodingTests {
  @Test func anyUseOfTheContainersIsEncodedAsByFoundation() throws {
    for seed in 1...2_000 as ClosedRange<UInt64> {
      let value = Written(seed: seed)
      let ours = try TreeEncoder().encode(value).bytes
      let foundations = try JSONEncoder().encode(value)
      let (mine, model) = (try sorted(Data(ours)), try sorted(foundations))
      #expect(mine == model, "seed \(seed)")
      // With a memo, the same value gives the same text.
      let encoder = TreeEncoder(remembers: true)
      for _ in 1...2 { #expect(try encoder.encode(value).bytes == ours, "seed \(seed)") }
      if mine != model { break }
    }
  }

  @Test func anyUseOfTheContainersIsDecodedAsByFoundation() throws {
    for seed in 1...4_000 as ClosedRange<UInt64> {
      let bytes = try TreeEncoder().encode(Written(seed: seed)).bytes
      let mine = try Read.$seed.withValue(seed) {
        try TreeDecoder.decode(Read.self, from: try JSONParser.parse(bytes)).log
      }
      let model = try Read.$seed.withValue(seed) { try JSONDecoder().decode(Read.self, from: Data(bytes)).log }
      guard let place = zip(mine, model).enumerated().first(where: { $1.0 != $1.1 })?.offset else { continue }
      Issue.record(
        "seed \(seed), \(String(decoding: bytes, as: UTF8.self)): \(mine[place]), not \(model[place]), after \(model[..<place].suffix(4))"
      )
      break
    }
  }

  private func sorted(_ json: Data) throws -> String {
    let object = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }
}

private struct Key: CodingKey {
  static let names = ["a", "b", "c", "7", "super"]
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, Int(stringValue)) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// A value whose encoding is a random program of the functions of the containers.
private struct Written: Encodable {
  let seed: UInt64
  var depth = 0

  func encode(to encoder: any Encoder) throws {
    var numbers = SplitMix64(seed: seed)
    try write(to: encoder, &numbers)
  }

  private func inside(_ numbers: inout SplitMix64) -> Written {
    Written(seed: numbers.next(), depth: depth + 1)
  }

  private func write(to encoder: any Encoder, _ numbers: inout SplitMix64) throws {
    switch depth > 3 ? 2 : numbers.next() % 5 {
    case 0, 1:
      var container = encoder.container(keyedBy: Key.self)
      try write(to: &container, &numbers)
      // A superclass writes to the same container.
      if numbers.next() % 3 == 0 {
        var again = encoder.container(keyedBy: Key.self)
        try Written(seed: 0, depth: 4).write(to: &again, &numbers)
      }
    case 2:
      var container = encoder.singleValueContainer()
      switch numbers.next() % 6 {
      case 0: try container.encodeNil()
      case 1: try container.encode(Int16(truncatingIfNeeded: numbers.next()))
      case 2: try container.encode("text\n\(numbers.next() % 10)")
      case 3: try container.encode(numbers.next() % 2 == 0)
      case 4: try container.encode(Double(numbers.next() % 1000) + 0.125)
      default: try container.encode(Set([Int(numbers.next() % 100)]))
      }
    default:
      var container = encoder.unkeyedContainer()
      try write(to: &container, &numbers)
    }
  }

  private func write(to container: inout KeyedEncodingContainer<Key>, _ numbers: inout SplitMix64) throws {
    var kept: [any Encoder] = []
    // A value replaces an earlier value of its key. A nested container or an encoder has a key of its own.
    var names = Key.names.dropFirst(2)
    for _ in 0..<numbers.next() % 6 {
      var key = Key(stringValue: Key.names[Int(numbers.next() % 2)])
      let choice = depth > 3 || names.isEmpty ? numbers.next() % 4 : numbers.next() % 10
      if choice > 5 {
        guard let name = choice == 8 ? names.popLast() : names.popFirst() else { continue }
        key = Key(stringValue: name)
      }
      switch choice {
      case 0: try container.encodeNil(forKey: key)
      case 1: try container.encode(UInt8(truncatingIfNeeded: numbers.next()), forKey: key)
      case 2: try container.encodeIfPresent(numbers.next() % 2 == 0 ? "x" : nil, forKey: key)
      case 3: try container.encode([Int(numbers.next() % 100), 2], forKey: key)
      case 4, 5: try container.encode(inside(&numbers), forKey: key)
      case 6:
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
        try Written(seed: 0, depth: depth + 1).write(to: &nested, &numbers)
      case 7:
        var nested = container.nestedUnkeyedContainer(forKey: key)
        try Written(seed: 0, depth: depth + 1).write(to: &nested, &numbers)
      case 8 where key.stringValue == "super": kept.append(container.superEncoder())
      default: kept.append(container.superEncoder(forKey: key))
      }
    }
    for encoder in kept { try inside(&numbers).encode(to: encoder) }
  }

  private func write(to container: inout any UnkeyedEncodingContainer, _ numbers: inout SplitMix64) throws {
    var kept: [any Encoder] = []
    for _ in 0..<numbers.next() % 5 {
      switch depth > 3 ? numbers.next() % 4 : numbers.next() % 9 {
      case 0: try container.encodeNil()
      case 1: try container.encode(UInt32(truncatingIfNeeded: numbers.next()))
      // Foundation does not count a value before its encoder is released.
      case 2: try container.encode(kept.isEmpty ? container.count : 0)
      case 3: try container.encode(contentsOf: ["x", "y"])
      case 4, 5: try container.encode(inside(&numbers))
      case 6:
        var nested = container.nestedContainer(keyedBy: Key.self)
        try Written(seed: 0, depth: depth + 1).write(to: &nested, &numbers)
      case 7:
        var nested = container.nestedUnkeyedContainer()
        try Written(seed: 0, depth: depth + 1).write(to: &nested, &numbers)
      // Foundation reverses the values of two encoders that are open at the same time.
      default: if kept.isEmpty { kept.append(container.superEncoder()) }
      }
    }
    for encoder in kept { try inside(&numbers).encode(to: encoder) }
  }
}

/// A log of what a random program of the functions of the decoding containers returned and threw.
private struct Read: Decodable {
  @TaskLocal static var seed: UInt64 = 0
  private(set) var log: [String] = []

  init(from decoder: any Decoder) throws {
    var numbers = SplitMix64(seed: Self.seed)
    read(decoder, &numbers, depth: 0)
  }

  /// A value inside, which reads nothing that depends on the seed.
  private struct Inner: Decodable {
    let text: String
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      text = try "\(list.decode(Int.self)) \(list.isAtEnd)"
    }
  }

  private mutating func note<Value>(_ name: String, _ value: () throws -> Value) -> Value? {
    do {
      let value = try value()
      log.append("\(name): \(value is any Decoder || "\(type(of: value))".contains("Container") ? "" : "\(value)")")
      return value
    } catch {
      log.append("\(name): \(Self.path(of: error))")
      return nil
    }
  }

  private static func path(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "no \(key.stringValue) at \(text(context.codingPath))"
    // Foundation throws errors of other kinds and without a path for numbers that do not fit.
    default: "refused"
    }
  }

  private static func text(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/")
  }

  private mutating func read(_ decoder: any Decoder, _ numbers: inout SplitMix64, depth: Int) {
    log.append("at \(Self.text(decoder.codingPath))")
    for _ in 0..<3 {
      switch numbers.next() % 3 {
      case 0:
        if let container = note("keyed", { try decoder.container(keyedBy: Key.self) }) {
          read(container, &numbers, depth: depth)
        }
      case 1:
        if var container = note("list", { try decoder.unkeyedContainer() }) { read(&container, &numbers, depth: depth) }
      default:
        guard let container = note("single", { try decoder.singleValueContainer() }) else { continue }
        log.append("nil: \(container.decodeNil())")
        _ = note("int") { try container.decode(Int.self) }
        _ = note("small") { try container.decode(Int16.self) }
        _ = note("text") { try container.decode(String.self) }
        _ = note("flag") { try container.decode(Bool.self) }
        _ = note("real") { try container.decode(Float.self) }
        _ = note("set") { try container.decode(Set<Int>.self).sorted() }
      }
    }
  }

  private mutating func read(_ container: KeyedDecodingContainer<Key>, _ numbers: inout SplitMix64, depth: Int) {
    log.append("keys \(container.allKeys.map(\.stringValue).sorted()) at \(Self.text(container.codingPath))")
    for _ in 0..<4 {
      let key = Key(stringValue: Key.names[Int(numbers.next() % 5)])
      switch depth > 3 ? numbers.next() % 6 : numbers.next() % 11 {
      case 0: log.append("contains \(container.contains(key))")
      case 1: _ = note("nil") { try container.decodeNil(forKey: key) }
      case 2: _ = note("int") { try container.decode(UInt8.self, forKey: key) }
      case 3: _ = note("text") { try container.decodeIfPresent(String.self, forKey: key) as Any }
      case 4: _ = note("list") { try container.decode([Int?].self, forKey: key) }
      case 5: _ = note("inner") { try container.decode(Inner.self, forKey: key).text }
      case 6, 7:
        if let nested = note("keyed", { try container.nestedContainer(keyedBy: Key.self, forKey: key) }) {
          read(nested, &numbers, depth: depth + 1)
        }
      case 8:
        if var nested = note("list", { try container.nestedUnkeyedContainer(forKey: key) }) {
          read(&nested, &numbers, depth: depth + 1)
        }
      // Foundation returns a decoder of `null` if there is no such member.
      case 9 where container.contains(Key(stringValue: "super")):
        if let inner = note("super", { try container.superDecoder() }) { read(inner, &numbers, depth: depth + 1) }
      default:
        if container.contains(key), let inner = note("super", { try container.superDecoder(forKey: key) }) {
          read(inner, &numbers, depth: depth + 1)
        }
      }
    }
  }

  private mutating func read(
    _ container: inout any UnkeyedDecodingContainer, _ numbers: inout SplitMix64, depth: Int
  ) {
    log.append("count \(container.count ?? -1) at \(Self.text(container.codingPath))")
    for _ in 0..<6 {
      log.append(container.isAtEnd ? "end" : "\(container.currentIndex)")
      switch depth > 3 ? numbers.next() % 6 : numbers.next() % 10 {
      case 0: _ = note("nil") { try container.decodeNil() }
      case 1: _ = note("int") { try container.decode(UInt32.self) }
      // Foundation counts past the end.
      case 2: if !container.isAtEnd { _ = note("text") { try container.decodeIfPresent(String.self) as Any } }
      case 3: _ = note("list") { try container.decode([Int?].self) }
      case 4: _ = note("inner") { try container.decode(Inner.self).text }
      case 5: _ = note("flag") { try container.decode(Bool.self) }
      case 6:
        if let nested = note("keyed", { try container.nestedContainer(keyedBy: Key.self) }) {
          read(nested, &numbers, depth: depth + 1)
        }
      case 7:
        if var nested = note("list", { try container.nestedUnkeyedContainer() }) {
          read(&nested, &numbers, depth: depth + 1)
        }
      default:
        if let inner = note("super", { try container.superDecoder() }) { read(inner, &numbers, depth: depth + 1) }
      }
    }
  }
}
