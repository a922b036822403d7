import ReeluxCore
import ReeluxLogger

/// A JSON value that shares unchanged parts with the previous value. Numbers keep their text.
///
/// Two trees with the same digest count as equal.
final class JSONTree: Sendable {
  /// A named part of an object.
  struct Member: Sendable {
    var name: String
    var value: JSONTree
  }

  enum Content: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONTree])
    /// An object. The members are in the order of their names' bytes, and each name occurs once.
    case object([Member])
  }

  let content: Content
  /// A hash of the whole value.
  let digest: UInt64
  /// Whether the text is the raw value of an enum case. It is encoded as any text and displayed as a case.
  let isCase: Bool

  init(_ content: Content, isCase: Bool = false) {
    self.content = content
    self.isCase = isCase
    digest = Self.digest(of: content)
  }

  /// Creates a value for decoding only. It has no digest, so it must not be compared. Its members may be in any order.
  init(read content: Content) {
    self.content = content
    isCase = false
    digest = 0
  }

  static let null = JSONTree(.null)
  static let yes = JSONTree(.bool(true))
  static let no = JSONTree(.bool(false))

  static func string(_ text: String) -> JSONTree { JSONTree(.string(text)) }
  static func number(_ number: Int) -> JSONTree { JSONTree(.number(String(number))) }
  static func array(_ elements: [JSONTree]) -> JSONTree { JSONTree(.array(elements)) }

  /// Creates an object from members in any order. If names are equal, the last member counts.
  static func object(_ members: [Member]) -> JSONTree {
    var isSorted = true
    for index in members.indices.dropFirst() where !precedes(members[index - 1].name, members[index].name) {
      isSorted = false
      break
    }
    if isSorted { return JSONTree(.object(members)) }
    var sorted: [Member] = []
    for member in members.enumerated().sorted(by: {
      isSame($0.element.name, $1.element.name) ? $0.offset < $1.offset : precedes($0.element.name, $1.element.name)
    }) {
      if let last = sorted.last, isSame(last.name, member.element.name) { sorted.removeLast() }
      sorted.append(member.element)
    }
    return JSONTree(.object(sorted))
  }

  static func object(_ members: KeyValuePairs<String, JSONTree>) -> JSONTree {
    object(members.map { Member(name: $0.key, value: $0.value) })
  }

  /// The object's member with this name.
  subscript(name: String) -> JSONTree? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

  /// Whether two names have the same bytes. Swift's texts are also equal if they differ only in their normalization. In
  /// JSON, these are two names.
  static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  private static func digest(of content: Content) -> UInt64 {
    var digest = Digest()
    switch content {
    case .null: digest.add(1)
    case .bool(let flag): digest.add(flag ? 2 : 3)
    case .number(let text):
      digest.add(4)
      digest.add(text)
    case .string(let text):
      digest.add(5)
      digest.add(text)
    case .array(let elements):
      digest.add(6)
      for element in elements { digest.add(element.digest) }
    case .object(let members):
      digest.add(7)
      for member in members {
        digest.add(member.name)
        digest.add(member.value.digest)
      }
    }
    return digest.value
  }
}

extension JSONTree: Equatable {
  static func == (left: JSONTree, right: JSONTree) -> Bool { left === right || left.digest == right.digest }
}

extension JSONTree {
  /// Writes the value. Equal values have equal text.
  func write(to json: inout JSONWriter) {
    switch content {
    case .null: json.null()
    case .bool(let flag): json.flag(flag)
    case .number(let text): json.verbatim(text.utf8)
    case .string(let text): json.string(text)
    case .array(let elements): json.array(elements) { $1.write(to: &$0) }
    case .object(let members):
      json.object { json in
        for member in members { json.member(member.name, member.value) }
      }
    }
  }

  /// Appends the text of the value.
  func write(to bytes: inout [UInt8]) {
    var json = JSONWriter(after: bytes)
    bytes = []
    write(to: &json)
    bytes = json.take()
  }

  /// The text of the value as bytes.
  var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  /// The text of the value.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONWriter {
  /// Writes a member of an object.
  mutating func member(_ name: String, _ value: JSONTree) {
    self.name(name)
    value.write(to: &self)
  }
}

/// A 64-bit checksum that is computed step by step. It detects accidental changes but does not protect against forgery.
package struct Digest {
  package private(set) var value: UInt64

  package init(_ start: UInt64 = FNV1a().value) { value = start }

  mutating func add(_ word: UInt64) {
    let mixed = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
    value = mixed ^ (mixed >> 29)
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { unsafe add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  /// Adds bytes, eight at a time, and then their number.
  ///
  /// This is correct, because each load ends at or before the end of the buffer.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position + 8 <= bytes.count {
      add(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    var rest: UInt64 = 0
    while position < bytes.count {
      rest = unsafe rest << 8 | UInt64(bytes[position])
      position += 1
    }
    add(rest)
    add(UInt64(bytes.count))
  }

  /// The checksum as sixteen hexadecimal digits.
  static func text(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
