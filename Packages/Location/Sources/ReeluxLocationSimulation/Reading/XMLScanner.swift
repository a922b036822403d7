/// A scanner that returns the events of an XML 1.0 document one by one. Its memory does not grow with the document.
///
/// It checks well-formedness as far as a reader of data needs: tags must match, names and attributes must be valid,
/// prefixes must be declared, and entities must be known. In lenient mode it repairs typical damage: a bare `&`, an
/// undeclared entity or prefix, control characters, and text outside of the root element. It does not expand entities
/// that a document declares, because they could expand to unlimited text. Foundation's `XMLParser` is not used. It
/// cannot pause between two points, gives no reason for an error, and on Linux accepts a document that is cut off.
struct XMLScanner {
  enum Event {
    /// A start tag.
    case start
    /// An end tag, or the end of an empty element.
    case end
    /// The end of the document.
    case finished
  }

  /// An attribute of the last start tag. Its value is in the window, or in `values` if it contains a
  /// reference or a control character.
  struct Attribute {
    var name: Int
    var place: Int
    var value: Range<Int>
    var isPlain: Bool
  }

  /// The name in the last start or end tag.
  private(set) var name = 0
  /// The namespace of the last start or end tag.
  private(set) var namespace = 0
  /// The attributes of the last start tag, without namespace declarations.
  private(set) var attributes: [Attribute] = []
  /// The text collected since this property was last emptied.
  var text: [UInt8] = []
  /// Whether text is collected. Otherwise it is skipped.
  var collectsText = false
  /// The content that a lenient scanner skipped or repaired.
  var skipped = SkippedContent()

  var input: InputWindow
  /// The index of the next byte in the window.
  var index = 0
  var names = XMLNames()
  var namespaces = XMLNamespaces()
  let mode: ReadingMode
  private var values: [UInt8] = []
  private(set) var open: [(name: Int, namespace: Int)] = []
  private var pendingEnd = false
  private(set) var sawElement = false

  /// The largest number of open elements.
  private static let depthLimit = 256
  /// The largest number of attributes of an element.
  private static let attributeLimit = 256
  /// The largest number of bytes of a tag or text.
  static let lengthLimit = 1 << 20

  init(_ input: InputWindow, mode: ReadingMode) throws(ReadingError) {
    self.input = input
    self.mode = mode
    _ = names.numberOfPrefix("xml")
    _ = namespaces.bind(names.numberOfPrefix("xml"), to: "http://www.w3.org/XML/1998/namespace", depth: 0)
    if case .unknown(let encoding) = input.encoding {
      let reason = "the encoding '\(encoding)' is not supported; convert the file to UTF-8"
      guard mode == .lenient else { throw input.malformed(reason, at: 0) }
      skipped.note(.encoding, line: 1, "\(reason); otherwise, names are left out")
    }
  }

  var isAtRoot: Bool { open.isEmpty }

  /// Returns the next event.
  mutating func next() throws(ReadingError) -> Event {
    if pendingEnd {
      pendingEnd = false
      return close()
    }
    while true {
      guard index < input.bytes.count else {
        if try more() { continue }
        return try endOfInput()
      }
      guard input.bytes[index] == UInt8(ascii: "<") else {
        if open.isEmpty {
          if try scanOutside() { return .finished }
        } else {
          try scanText()
        }
        continue
      }
      guard index + 1 < input.bytes.count else {
        guard try more() else { throw cutOff("after '<'") }
        continue
      }
      switch input.bytes[index + 1] {
      case UInt8(ascii: "/"):
        if try scanEndTag() { return close() }
      case UInt8(ascii: "?"):
        index += 2
        try scan(past: "?>", in: "a processing instruction", collects: false)
      case UInt8(ascii: "!"):
        try scanDeclaration()
      default:
        if sawElement && open.isEmpty {
          guard mode == .lenient else {
            throw input.malformed("a second root element; the document should have ended", at: index)
          }
          skipped.note(
            .outside, line: input.line(at: index),
            "another document begins here; it and everything after it is ignored. Follow the files one by one")
          return .finished
        }
        if try scanStartTag() { return .start }
      }
    }
  }

  /// Reads more bytes and drops those before `index`. Returns false at the end of the input.
  mutating func more() throws(ReadingError) -> Bool {
    guard input.bytes.count - index <= Self.lengthLimit else {
      throw input.malformed(tooLong("a tag or text"), at: index)
    }
    guard try input.refill(keeping: index) else { return false }
    index = 0
    return true
  }

  /// The bytes of an attribute's value.
  func value(of attribute: Attribute) -> (bytes: [UInt8], range: Range<Int>) {
    (attribute.isPlain ? input.bytes : values, attribute.value)
  }

  // MARK: Tags

  /// Scans a start tag. If the window does not contain all of it, reads more and returns false.
  private mutating func scanStartTag() throws(ReadingError) -> Bool {
    guard open.count < Self.depthLimit else {
      throw input.malformed("elements are nested more than \(Self.depthLimit) deep", at: index)
    }
    attributes.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    var place = index + 1
    guard let written = try scanName(&place, of: "element") else { return try readOn(in: nil) }
    var declares = false
    var isEmpty = false
    while true {
      let hadSpace = skipSpace(&place)
      guard place < input.bytes.count else { return try readOn(in: written) }
      let byte = input.bytes[place]
      if byte == UInt8(ascii: ">") { break }
      if byte == UInt8(ascii: "/") {
        place += 1
        guard place < input.bytes.count else { return try readOn(in: written) }
        guard input.bytes[place] == UInt8(ascii: ">") else {
          throw input.malformed("'/' in the tag <\(names.written(written))> is not followed by '>'", at: place)
        }
        isEmpty = true
        break
      }
      guard hadSpace else {
        let found = Self.printable(byte)
        throw input.malformed(
          "the tag <\(names.written(written))> holds \(found) where a space or '>' should be", at: place)
      }
      guard let attribute = try scanAttribute(&place) else {
        return try readOn(in: written)
      }
      declares = declares || names.entries[attribute.name].declares != nil
      for other in attributes where other.name == attribute.name {
        throw input.malformed("the attribute '\(names.written(attribute.name))' is given twice", at: attribute.place)
      }
      attributes.append(attribute)
      guard attributes.count <= Self.attributeLimit else {
        let reason = "the tag <\(names.written(written))> has more than \(Self.attributeLimit) attributes"
        throw input.malformed(reason, at: attribute.place)
      }
    }
    if declares { try bindNamespaces() }
    name = written
    namespace = try resolve(written, at: index)
    for attribute in attributes where names.entries[attribute.name].prefix != 0 {
      _ = try resolve(attribute.name, at: attribute.place)
    }
    open.append((name, namespace))
    sawElement = true
    pendingEnd = isEmpty
    index = place + 1
    return true
  }

  /// Reads more because a tag is incomplete, and returns false. Throws at the end of the input.
  private mutating func readOn(in name: Int?) throws(ReadingError) -> Bool {
    guard try more() else { throw cutOff(name.map { "in the tag <\(names.written($0))>" } ?? "in a tag") }
    return false
  }

  private mutating func bindNamespaces() throws(ReadingError) {
    for attribute in attributes {
      guard let prefix = names.entries[attribute.name].declares else { continue }
      let (bytes, range) = value(of: attribute)
      guard namespaces.bind(prefix, to: String(decoding: bytes[range], as: UTF8.self), depth: open.count + 1) else {
        throw input.malformed("there are more than \(XMLNamespaces.limit) different namespaces", at: attribute.place)
      }
    }
    let entries = names.entries
    attributes.removeAll { entries[$0.name].declares != nil }
  }

  private mutating func resolve(_ number: Int, at place: Int) throws(ReadingError) -> Int {
    if let namespace = namespaces.namespace(of: names.entries[number].prefix) { return namespace }
    let reason = "the prefix of '\(names.written(number))' is not declared"
    guard mode == .lenient else { throw input.malformed(reason, at: place) }
    skipped.note(.prefix, line: input.line(at: place), reason)
    return -1
  }

  /// Scans an end tag. If the window does not contain all of it, reads more and returns false.
  private mutating func scanEndTag() throws(ReadingError) -> Bool {
    var place = index + 2
    // Usually this is the name of the open element, followed by '>'.
    if let last = open.last {
      let bytes = names.entries[last.name].bytes
      let end = place + bytes.count
      if end < input.bytes.count, input.bytes[end] == UInt8(ascii: ">"),
        XMLNames.equal(bytes, input.bytes, place..<end)
      {
        index = end + 1
        return true
      }
    }
    guard let written = try scanName(&place, of: "element") else { return try readOn(in: nil) }
    _ = skipSpace(&place)
    guard place < input.bytes.count else { return try readOn(in: written) }
    guard input.bytes[place] == UInt8(ascii: ">") else {
      let found = Self.printable(input.bytes[place])
      throw input.malformed("the tag </\(names.written(written))> holds \(found) where '>' should be", at: place)
    }
    guard let expected = open.last else {
      throw input.malformed("</\(names.written(written))> has no start tag", at: index)
    }
    guard expected.name == written else {
      throw input.malformed(
        "</\(names.written(written))> where </\(names.written(expected.name))> should be", at: index)
    }
    index = place + 1
    return true
  }

  private mutating func close() -> Event {
    namespaces.leave(depth: open.count)
    if let last = open.popLast() { (name, namespace) = last }
    return .end
  }

  /// Scans an attribute. Returns `nil` if the window does not contain all of it.
  private mutating func scanAttribute(_ place: inout Int) throws(ReadingError) -> Attribute? {
    let start = place
    guard let name = try scanName(&place, of: "attribute") else { return nil }
    _ = skipSpace(&place)
    guard place < input.bytes.count else { return nil }
    guard input.bytes[place] == UInt8(ascii: "=") else {
      throw input.malformed("the attribute '\(names.written(name))' has no value", at: place)
    }
    place += 1
    _ = skipSpace(&place)
    guard place < input.bytes.count else { return nil }
    let quote = input.bytes[place]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw input.malformed("the value of the attribute '\(names.written(name))' is not quoted", at: place)
    }
    place += 1
    let valueStart = place
    var isPlain = true
    while place < input.bytes.count, input.bytes[place] != quote {
      let byte = input.bytes[place]
      if byte == UInt8(ascii: "<") {
        throw input.malformed("'<' in the value of the attribute '\(names.written(name))'", at: place)
      }
      if byte < 0x20 || byte == UInt8(ascii: "&") { isPlain = false }
      place += 1
    }
    guard place < input.bytes.count else { return nil }
    var value = valueStart..<place
    if !isPlain { value = try resolveReferences(in: value) }
    place += 1
    return Attribute(name: name, place: start, value: value, isPlain: isPlain)
  }

  /// Copies a value with resolved references.
  private mutating func resolveReferences(in range: Range<Int>) throws(ReadingError) -> Range<Int> {
    let start = values.count
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = input.bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "&"):
        let (bytes, end) = try reference(at: place - 1, limit: range.upperBound)
        values += bytes
        place = end
      case 0x09, 0x0A, 0x0D: values.append(0x20)
      default: if try accepts(byte, at: place - 1) { values.append(byte) }
      }
    }
    return start..<values.count
  }

  private mutating func endOfInput() throws(ReadingError) -> Event {
    if let last = open.last { throw cutOff("within <\(names.written(last.name))>", isWhole: true) }
    guard sawElement else {
      let isEmpty = input.bytes.isEmpty && input.offset(of: 0) == 0
      throw input.malformed(
        isEmpty ? "the file is empty" : "this is not a GPX document: it has no element <gpx>", at: index)
    }
    return .finished
  }
}
