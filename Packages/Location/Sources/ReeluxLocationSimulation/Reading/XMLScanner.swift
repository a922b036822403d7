/// Pulls the events of an XML 1.0 document out of a stream, one after the other, in memory that does not grow with
/// the document.
///
/// It checks that the document is well-formed as far as a reader of data needs: tags match, names and attributes are
/// in order, prefixes are declared, entities are known, text is UTF-8 (or ISO 8859-1 where the document says so).
/// Entities that a document declares itself are not expanded, so that none can blow up. It is used in place of
/// Foundation's `XMLParser`, which cannot be paused between two points, gives no reason for an error, and on Linux
/// takes a cut-off file for a complete one.
struct XMLScanner {
  enum Event {
    /// A start tag; `name` and `attributes` say which.
    case start
    /// An end tag, or the end of an empty element; `name` says which.
    case end
    /// Text, when `keepsText` is set; `text` holds it.
    case text
  }

  /// The element of the last start or end.
  private(set) var name = XMLName(prefix: "", local: "")
  /// The attributes of the last start, without the declarations of namespaces.
  private(set) var attributes: [XMLAttribute] = []
  /// The bytes of the last text, references resolved.
  private(set) var text: [UInt8] = []
  /// The line at which the last event began.
  private(set) var eventLine = 1
  /// Whether text is reported, or only checked and passed over.
  var keepsText = false
  /// How many elements are open.
  var depth: Int { open.count }

  var reader: ByteReader
  var isLatin1 = false
  var names = XMLNameTable()
  var scratch: [UInt8] = []
  private var open: [XMLName] = []
  private var namespaces = XMLNamespaces()
  private var pendingEnd = false
  private var began = false
  private var sawRoot = false

  /// The most elements that may be open at once.
  private static let depthLimit = 256
  /// The most bytes of one name, attribute or text.
  static let lengthLimit = 1 << 20

  init(_ reader: ByteReader) {
    self.reader = reader
  }

  /// Moves on to the next event; nothing at the document's end.
  mutating func next() throws(ReadingError) -> Event? {
    if pendingEnd {
      pendingEnd = false
      return closeElement()
    }
    if !began {
      began = true
      try skipByteOrderMark()
    }
    while true {
      eventLine = reader.line
      guard let byte = try reader.peek() else { return try endOfInput() }
      guard byte == UInt8(ascii: "<") else {
        if try scanText() { return .text }
        continue
      }
      _ = try reader.next()
      switch try reader.peek() {
      case UInt8(ascii: "/"):
        _ = try reader.next()
        return try scanEndTag()
      case UInt8(ascii: "?"):
        _ = try reader.next()
        try scanInstruction()
      case UInt8(ascii: "!"):
        _ = try reader.next()
        if try scanDeclaration() { return .text }
      default:
        return try scanStartTag()
      }
    }
  }

  // MARK: Tags

  private mutating func scanStartTag() throws(ReadingError) -> Event {
    guard !open.isEmpty || !sawRoot else {
      throw reader.malformed("a second root element; the document should have ended")
    }
    guard open.count < Self.depthLimit else {
      throw reader.malformed("elements are nested more than \(Self.depthLimit) deep")
    }
    sawRoot = true
    let written = try scanName(of: "element")
    attributes.removeAll(keepingCapacity: true)
    let depth = open.count + 1
    while true {
      let hadSpace = try skipSpace()
      let line = reader.line
      guard let byte = try reader.peek() else { throw cutOff("in the tag <\(written.written)>") }
      if byte == UInt8(ascii: ">") {
        _ = try reader.next()
        break
      }
      if byte == UInt8(ascii: "/") {
        _ = try reader.next()
        guard try reader.next() == UInt8(ascii: ">") else {
          throw reader.malformed("'/' in the tag <\(written.written)> is not followed by '>'")
        }
        pendingEnd = true
        break
      }
      guard hadSpace else {
        let found = Self.printable(byte)
        throw reader.malformed("the tag <\(written.written)> holds \(found) where a space or '>' should be")
      }
      let attribute = try scanAttribute(line: line)
      if attribute.name.prefix == "xmlns" {
        namespaces.bind(attribute.name.local, to: try decoded(attribute.value, line: line), depth: depth)
      } else if attribute.name.prefix.isEmpty && attribute.name.local == "xmlns" {
        namespaces.bind("", to: try decoded(attribute.value, line: line), depth: depth)
      } else {
        guard !attributes.contains(where: { $0.name == attribute.name }) else {
          throw reader.malformed("the attribute '\(attribute.name.written)' is given twice", line: line)
        }
        attributes.append(attribute)
      }
    }
    name = try resolved(written, line: eventLine)
    for index in attributes.indices where !attributes[index].name.prefix.isEmpty {
      attributes[index].name = try resolved(attributes[index].name, line: attributes[index].line)
    }
    open.append(name)
    return .start
  }

  private mutating func scanEndTag() throws(ReadingError) -> Event {
    let written = try scanName(of: "element")
    _ = try skipSpace()
    guard let byte = try reader.next() else { throw cutOff("in the tag </\(written.written)>") }
    guard byte == UInt8(ascii: ">") else {
      throw reader.malformed("the tag </\(written.written)> holds \(Self.printable(byte)) where '>' should be")
    }
    guard let expected = open.last else {
      throw reader.malformed("</\(written.written)> ends an element that was not begun", line: eventLine)
    }
    guard expected.prefix == written.prefix, expected.local == written.local else {
      throw reader.malformed("</\(written.written)> where </\(expected.written)> should be", line: eventLine)
    }
    return closeElement()
  }

  private mutating func closeElement() -> Event {
    namespaces.leave(depth: open.count)
    name = open.popLast() ?? name
    return .end
  }

  private mutating func scanAttribute(line: Int) throws(ReadingError) -> XMLAttribute {
    let name = try scanName(of: "attribute")
    _ = try skipSpace()
    guard try reader.peek() == UInt8(ascii: "=") else {
      throw reader.malformed("the attribute '\(name.written)' has no value")
    }
    _ = try reader.next()
    _ = try skipSpace()
    guard let quote = try reader.next(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw reader.malformed("the value of the attribute '\(name.written)' is not quoted")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    while let byte = try reader.next() {
      switch byte {
      case quote:
        return XMLAttribute(name: name, value: bytes, line: line)
      case UInt8(ascii: "&"):
        bytes += try scanReference()
      case UInt8(ascii: "<"):
        throw reader.malformed("'<' in the value of the attribute '\(name.written)'")
      case 0x09, 0x0A, 0x0D:
        bytes.append(0x20)
      default:
        try check(byte)
        bytes.append(byte)
      }
      guard bytes.count <= Self.lengthLimit else {
        throw reader.malformed("the value of the attribute '\(name.written)' is too long")
      }
    }
    throw cutOff("in the value of the attribute '\(name.written)'")
  }

  private func resolved(_ name: XMLName, line: Int) throws(ReadingError) -> XMLName {
    guard let namespace = namespaces.namespace(of: name.prefix) else {
      throw reader.malformed("the prefix of '\(name.written)' is not declared", line: line)
    }
    var name = name
    name.namespace = namespace
    return name
  }

  // MARK: Text

  /// Passes over text up to the next mark; true when it is to be reported.
  private mutating func scanText() throws(ReadingError) -> Bool {
    guard !open.isEmpty else {
      guard try skipSpace() else {
        let byte = try reader.peek() ?? 0
        let place = sawRoot ? "after the end of the document" : "where a document should begin with '<'"
        throw reader.malformed("\(Self.printable(byte)) \(place)")
      }
      return false
    }
    text.removeAll(keepingCapacity: true)
    while let byte = try reader.peek(), byte != UInt8(ascii: "<") {
      _ = try reader.next()
      if byte == UInt8(ascii: "&") {
        let replacement = try scanReference()
        if keepsText { text += replacement }
      } else {
        try check(byte)
        if keepsText { text.append(byte) }
      }
      guard text.count <= Self.lengthLimit else { throw reader.malformed("a text is too long") }
    }
    return keepsText
  }

  /// Passes over what `<!` begins; true when it is text to be reported.
  private mutating func scanDeclaration() throws(ReadingError) -> Bool {
    switch try reader.peek() {
    case UInt8(ascii: "-"):
      try expect("--", in: "a comment")
      _ = try scanUntil("-->", in: "a comment", keeps: false)
      return false
    case UInt8(ascii: "["):
      try expect("[CDATA[", in: "a CDATA section")
      guard !open.isEmpty else { throw reader.malformed("a CDATA section outside of the document") }
      text = try scanUntil("]]>", in: "a CDATA section", keeps: keepsText)
      return keepsText
    default:
      try expect("DOCTYPE", in: "a document type")
      guard !sawRoot else { throw reader.malformed("a document type after the document's begin") }
      try skipDocumentType()
      return false
    }
  }

  private mutating func scanInstruction() throws(ReadingError) {
    let line = reader.line
    let target = try scanName(of: "processing instruction")
    let isDeclaration = target.written == "xml"
    let bytes = try scanUntil("?>", in: "a processing instruction", keeps: isDeclaration)
    if isDeclaration { try readDeclaration(bytes, line: line) }
  }

  private mutating func endOfInput() throws(ReadingError) -> Event? {
    if let last = open.last { throw cutOff("within <\(last.written)>") }
    guard sawRoot else {
      throw reader.malformed(reader.offset == 0 ? "the file is empty" : "the file holds no element")
    }
    return nil
  }
}
