// Text between tags, and the components of tags.

extension XMLScanner {
  /// An error about an input that ends too early.
  ///
  /// - Parameter isWhole: Whether the last tag or text is complete. Only end tags are then missing.
  func cutOff(_ place: String, isWhole: Bool = false) -> ReadingError {
    let missing =
      open.count > 20
      ? "the end tags of \(open.count) elements" : open.reversed().map { "</\(names.written($0.name))>" }.joined()
    let advice =
      open.isEmpty
      ? "remove its unfinished end" : isWhole ? "append \(missing)" : "replace its unfinished end by \(missing)"
    return input.malformed(
      "the file ends \(place); it is cut off" + (sawElement ? ". To read what is there, \(advice)" : ""),
      at: input.bytes.count)
  }

  /// A byte as text for a message.
  static func printable(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "the byte \(byte)"
  }

  /// Skips white space. Returns true if there was any.
  @inline(__always) func skipSpace(_ place: inout Int) -> Bool {
    let start = place
    while place < input.bytes.count, isSpace(input.bytes[place]) { place += 1 }
    return place > start
  }

  /// Scans a name. Returns `nil` if it may continue after the window.
  @inline(__always) mutating func scanName(_ place: inout Int, of what: StaticString) throws(ReadingError) -> Int? {
    let start = place
    var colon: Int?
    var hash = XMLNames.hashStart
    while place < input.bytes.count {
      let byte = input.bytes[place]
      if byte == UInt8(ascii: ":"), colon == nil, place > start {
        colon = place
      } else if !Self.isNameByte(byte, first: place == start || place - 1 == colon) {
        break
      }
      hash = XMLNames.hash(hash, byte)
      place += 1
    }
    guard place < input.bytes.count else { return nil }
    guard place > start, place - 1 != colon else {
      let found = Self.printable(input.bytes[place])
      throw input.malformed("\(found) where the name of an \(what) should be", at: place)
    }
    guard place - start <= 1024 else { throw input.malformed("a name has more than 1,024 bytes", at: start) }
    guard let number = names.number(of: input.bytes, start..<place, colon: colon, hash: hash) else {
      throw input.malformed("the document has more than \(XMLNames.limit) different names", at: start)
    }
    return number
  }

  @inline(__always) private static func isNameByte(_ byte: UInt8, first: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      !first
    default:
      false
    }
  }

  /// Whether a byte is accepted. XML forbids control characters, which a lenient scanner leaves out.
  @inline(__always) mutating func accepts(_ byte: UInt8, at place: Int) throws(ReadingError) -> Bool {
    byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D ? true : try refuseControl(byte, at: place)
  }

  private mutating func refuseControl(_ byte: UInt8, at place: Int) throws(ReadingError) -> Bool {
    let reason = "the control character \(byte), which XML forbids"
    guard mode == .lenient else { throw input.malformed(reason, at: place) }
    skipped.note(.text, line: input.line(at: place), reason)
    return false
  }

  /// Scans text up to the next markup, and stores it if text is collected.
  mutating func scanText() throws(ReadingError) {
    var place = index
    scan: while place < input.bytes.count {
      let byte = input.bytes[place]
      if byte == UInt8(ascii: "<") { break }
      if byte == UInt8(ascii: "&") {
        take(index..<place)
        index = place
        while !input.isComplete, input.bytes.count - index < 64 { _ = try more() }
        let (bytes, end) = try reference(at: index, limit: input.bytes.count)
        if collectsText { text += bytes }
        index = end
        place = end
        continue scan
      }
      if try !accepts(byte, at: place) {
        take(index..<place)
        index = place + 1
      }
      place += 1
    }
    take(index..<place)
    index = place
    guard text.count <= Self.lengthLimit else { throw input.malformed(tooLong("a text"), at: place) }
  }

  func tooLong(_ what: StaticString) -> String { "\(what) has more than \(Self.lengthLimit >> 20) MB" }

  @inline(__always) private mutating func take(_ range: Range<Int>) {
    if collectsText, !range.isEmpty { text += input.bytes[range] }
  }

  /// Scans content outside of the root element. Returns true if the document ends there.
  mutating func scanOutside() throws(ReadingError) -> Bool {
    if skipSpace(&index) { return false }
    let wasBegun = sawElement
    let place = wasBegun ? "after the end of the document" : "where a document should begin with '<'"
    let reason = "\(Self.printable(input.bytes[index])) \(place)"
    guard mode == .lenient else { throw input.malformed(reason, at: index) }
    let rest = wasBegun ? "; it and everything after it is ignored" : ""
    skipped.note(.outside, line: input.line(at: index), reason + rest)
    if wasBegun { return true }
    index += 1
    return false
  }

  /// The bytes that a reference at `&` represents, and its end.
  ///
  /// A lenient scanner keeps a bare `&` and an unknown entity unchanged.
  mutating func reference(at start: Int, limit: Int) throws(ReadingError) -> (bytes: [UInt8], end: Int) {
    var end = start + 1
    while end < limit, end - start <= 33, input.bytes[end] != UInt8(ascii: ";") {
      let byte = input.bytes[end]
      guard byte > 0x20, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") else { break }
      end += 1
    }
    guard end < limit, input.bytes[end] == UInt8(ascii: ";") else {
      if end == input.bytes.count, input.isComplete, mode == .strict { throw cutOff("in an entity") }
      return try keep("'&' does not begin an entity (write '&amp;')", at: start)
    }
    let entity = String(decoding: input.bytes[(start + 1)..<end], as: UTF8.self)
    switch entity {
    case "lt": return ([UInt8(ascii: "<")], end + 1)
    case "gt": return ([UInt8(ascii: ">")], end + 1)
    case "amp": return ([UInt8(ascii: "&")], end + 1)
    case "quot": return ([UInt8(ascii: "\"")], end + 1)
    case "apos": return ([UInt8(ascii: "'")], end + 1)
    default: break
    }
    guard entity.first == "#" else {
      return try keep("unknown entity '&\(entity);' (declarations in a DOCTYPE are not read)", at: start)
    }
    let number = entity.dropFirst()
    let isHexadecimal = number.first == "x"
    let digits = isHexadecimal ? number.dropFirst() : number
    let value = digits.first == "+" ? nil : UInt32(digits, radix: isHexadecimal ? 16 : 10)
    guard let value, let scalar = Unicode.Scalar(value), value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value) else {
      return try keep("'&\(entity);' is not a character", at: start)
    }
    return (Array(String(Character(scalar)).utf8), end + 1)
  }

  private mutating func keep(_ reason: String, at start: Int) throws(ReadingError) -> (bytes: [UInt8], end: Int) {
    guard mode == .lenient else { throw input.malformed(reason, at: start) }
    skipped.note(.text, line: input.line(at: start), reason)
    return ([UInt8(ascii: "&")], start + 1)
  }

  /// Skips a construct that begins with `<!`.
  mutating func scanDeclaration() throws(ReadingError) {
    while !input.isComplete, input.bytes.count - index < 16 { _ = try more() }
    let start = input.bytes[index...]
    if start.starts(with: "<!--".utf8) {
      index += 4
      try scan(past: "-->", in: "a comment", collects: false)
    } else if start.starts(with: "<![CDATA[".utf8) {
      guard !isAtRoot else { throw input.malformed("a CDATA section outside of the document", at: index) }
      index += 9
      try scan(past: "]]>", in: "a CDATA section", collects: collectsText)
    } else if start.starts(with: "<!DOCTYPE".utf8) || start.starts(with: "<!doctype".utf8) {
      // Pages in HTML often have it in lower case. Their root element is then refused.
      guard !sawElement else { throw input.malformed("a document type after the start of the document", at: index) }
      index += 9
      try skipDocumentType()
    } else if start.count < 9, input.isComplete {
      throw cutOff("in a declaration")
    } else {
      throw input.malformed("'<!' begins an unknown declaration", at: index)
    }
  }

  /// Scans everything up to the end of a delimiter.
  mutating func scan(past mark: StaticString, in what: StaticString, collects: Bool) throws(ReadingError) {
    let line = input.nextLine(at: index)
    let marks = Array(mark.description.utf8)
    while true {
      var place = index
      while place + marks.count <= input.bytes.count {
        if input.bytes[place] == marks[0], input.bytes[place..<(place + marks.count)].elementsEqual(marks) {
          if collects { text += input.bytes[index..<place] }
          index = place + marks.count
          return
        }
        if try !accepts(input.bytes[place], at: place) {
          if collects { text += input.bytes[index..<place] }
          index = place + 1
        }
        place += 1
      }
      if collects { text += input.bytes[index..<max(index, place)] }
      index = max(index, place)
      guard text.count <= Self.lengthLimit else { throw input.malformed(tooLong(what), at: place) }
      guard try more() else { throw cutOff("in \(what) that began in line \(line)") }
    }
  }

  /// Skips a comment or a processing instruction in a document type. Returns false if there is another declaration.
  private mutating func skipComment() throws(ReadingError) -> Bool {
    while !input.isComplete, input.bytes.count - index < 4 { _ = try more() }
    if input.bytes[index...].starts(with: "<!--".utf8) {
      index += 4
      try scan(past: "-->", in: "a comment", collects: false)
    } else if input.bytes[index...].starts(with: "<?".utf8) {
      index += 2
      try scan(past: "?>", in: "a processing instruction", collects: false)
    } else {
      return false
    }
    return true
  }

  /// Skips a document type with its declarations. None of them is used.
  private mutating func skipDocumentType() throws(ReadingError) {
    let line = input.nextLine(at: index)
    var inSubset = false
    var quote: UInt8?
    while true {
      guard index < input.bytes.count else {
        guard try more() else { throw cutOff("in a document type that began in line \(line)") }
        continue
      }
      let byte = input.bytes[index]
      if let open = quote {
        index += 1
        if byte == open { quote = nil }
        continue
      }
      if byte == UInt8(ascii: "<"), try skipComment() { continue }
      index += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): inSubset = true
      case UInt8(ascii: "]"): inSubset = false
      case UInt8(ascii: ">") where !inSubset: return
      default: break
      }
    }
  }
}
