// The parts that names, references and marks are made of.

extension XMLScanner {
  /// An error that says that the input ended too early.
  func cutOff(_ place: String) -> ReadingError {
    reader.malformed("the file ends \(place)")
  }

  /// A byte as it is shown in a message.
  static func printable(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "the byte \(byte)"
  }

  /// Skips white space; true when there was some.
  @discardableResult mutating func skipSpace() throws(ReadingError) -> Bool {
    var skipped = false
    while let byte = try reader.peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      _ = try reader.next()
      skipped = true
    }
    return skipped
  }

  /// Refuses a control character that no XML document may hold.
  func check(_ byte: UInt8) throws(ReadingError) {
    if byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D {
      throw reader.malformed("the control character \(byte), which XML forbids")
    }
  }

  mutating func scanName(of what: String) throws(ReadingError) -> XMLName {
    var colon: Int?
    scratch.removeAll(keepingCapacity: true)
    while let byte = try reader.peek() {
      if byte == UInt8(ascii: ":"), colon == nil, !scratch.isEmpty {
        colon = scratch.count
      } else if !Self.isNameByte(byte, first: scratch.isEmpty || scratch.count - 1 == colon) {
        break
      }
      scratch.append(byte)
      _ = try reader.next()
      guard scratch.count <= 1024 else { throw reader.malformed("a name is too long") }
    }
    guard !scratch.isEmpty, scratch.count - 1 != colon else {
      guard let byte = try reader.peek() else { throw cutOff("where the name of an \(what) should be") }
      throw reader.malformed("\(Self.printable(byte)) where the name of an \(what) should be")
    }
    if let known = names.name(of: scratch) { return known }
    let prefix = try decoded(Array(scratch.prefix(colon ?? 0)), line: reader.line)
    let local = try decoded(Array(scratch.dropFirst(colon.map { $0 + 1 } ?? 0)), line: reader.line)
    let name = XMLName(prefix: prefix, local: local)
    names.insert(name, bytes: scratch)
    return name
  }

  private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      !first
    default:
      false
    }
  }

  /// Reads what follows `&`: one of the five entities, or a character's number.
  mutating func scanReference() throws(ReadingError) -> [UInt8] {
    let line = reader.line
    var bytes: [UInt8] = []
    while true {
      guard let byte = try reader.next() else { throw cutOff("in an entity") }
      if byte == UInt8(ascii: ";") { break }
      guard bytes.count < 32, byte > 0x20, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") else {
        throw reader.malformed("'&' does not begin an entity (write '&amp;')", line: line)
      }
      bytes.append(byte)
    }
    let entity = try decoded(bytes, line: line)
    switch entity {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    guard entity.first == "#" else { throw reader.malformed("unknown entity '&\(entity);'", line: line) }
    let number = entity.dropFirst()
    let value =
      number.first == "x" ? UInt32(number.dropFirst(), radix: 16) : number.first == "+" ? nil : UInt32(number)
    guard let value, let scalar = Unicode.Scalar(value), value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value) else {
      throw reader.malformed("'&\(entity);' names no character", line: line)
    }
    if isLatin1 && value < 0x100 { return [UInt8(value)] }
    return isLatin1 ? [UInt8(ascii: "?")] : Array(String(Character(scalar)).utf8)
  }

  /// Turns bytes into text by the document's encoding.
  func decoded(_ bytes: [UInt8], line: Int) throws(ReadingError) -> String {
    if isLatin1 {
      var text = String.UnicodeScalarView()
      for byte in bytes { text.append(Unicode.Scalar(byte)) }
      return String(text)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw reader.malformed("text is not valid UTF-8", line: line)
    }
    return text
  }

  /// Takes a mark that must come next.
  mutating func expect(_ mark: StaticString, in place: String) throws(ReadingError) {
    for wanted in mark.description.utf8 {
      guard let byte = try reader.next() else { throw cutOff("in \(place)") }
      guard byte == wanted else { throw reader.malformed("'<!' begins nothing that XML knows") }
    }
  }

  /// Takes everything up to and with a mark, and returns what stood before it, if it is to be kept.
  mutating func scanUntil(_ mark: StaticString, in place: String, keeps: Bool) throws(ReadingError) -> [UInt8] {
    let line = reader.line
    let marks = Array(mark.description.utf8)
    var kept: [UInt8] = []
    var window: [UInt8] = []
    while let byte = try reader.next() {
      try check(byte)
      window.append(byte)
      if window.count > marks.count {
        let passed = window.removeFirst()
        if keeps { kept.append(passed) }
      }
      if window == marks { return kept }
      guard kept.count <= Self.lengthLimit else { throw reader.malformed("\(place) is too long", line: line) }
    }
    throw cutOff("in \(place) that began in line \(line)")
  }

  /// Passes over a document type with its declarations; none of them is used.
  mutating func skipDocumentType() throws(ReadingError) {
    let line = reader.line
    var inSubset = false
    var quote: UInt8?
    while let byte = try reader.next() {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): inSubset = true
      case UInt8(ascii: "]"): inSubset = false
      case UInt8(ascii: ">") where !inSubset: return
      default: break
      }
    }
    throw cutOff("in a document type that began in line \(line)")
  }

  /// Takes the encoding from the declaration `<?xml …?>`.
  mutating func readDeclaration(_ bytes: [UInt8], line: Int) throws(ReadingError) {
    let declaration = try decoded(bytes, line: line).lowercased()
    guard let key = declaration.firstRange(of: "encoding") else { return }
    let encoding = declaration[key.upperBound...].drop { " \t\r\n='\"".contains($0) }
      .prefix { !" '\"".contains($0) }
    switch encoding {
    case "utf-8", "utf8", "us-ascii", "ascii": break
    case "iso-8859-1", "latin1", "windows-1252": isLatin1 = true
    default:
      throw reader.malformed("the encoding '\(encoding)' is not supported; convert the file to UTF-8", line: line)
    }
  }

  /// Skips the UTF-8 mark, and refuses the marks of UTF-16.
  mutating func skipByteOrderMark() throws(ReadingError) {
    switch try reader.peek() {
    case 0xEF:
      for wanted: UInt8 in [0xEF, 0xBB, 0xBF] {
        guard try reader.next() == wanted else { throw reader.malformed("the file does not begin with text") }
      }
    case 0xFE, 0xFF:
      throw reader.malformed("the file is in UTF-16, which is not supported; convert it to UTF-8")
    default: break
    }
  }
}
