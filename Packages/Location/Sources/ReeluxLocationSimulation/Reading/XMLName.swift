/// A name with its prefix, and the namespace that the prefix stands for.
struct XMLName: Hashable {
  /// The part before the colon; empty when there is none.
  var prefix: String
  /// The part after the colon.
  var local: String
  /// The namespace; empty when the name has none.
  var namespace = ""

  /// The name as it is written in the document.
  var written: String { prefix.isEmpty ? local : "\(prefix):\(local)" }
}

/// One attribute of a start tag.
struct XMLAttribute {
  var name: XMLName
  /// The value's bytes, references resolved.
  var value: [UInt8]
  /// Where the attribute stands.
  var line: Int
}

/// The names met so far, so that each is decoded once.
struct XMLNameTable {
  private var known: [(bytes: [UInt8], name: XMLName)] = []

  /// More names than this are decoded each time.
  private static let limit = 32

  /// The name of some bytes, if it was met.
  func name(of bytes: [UInt8]) -> XMLName? {
    known.first { $0.bytes == bytes }?.name
  }

  /// Remembers a name.
  mutating func insert(_ name: XMLName, bytes: [UInt8]) {
    if known.count < Self.limit { known.append((bytes, name)) }
  }
}

/// The bindings of prefixes to namespaces, nested as the elements are.
struct XMLNamespaces {
  private var bindings: [(depth: Int, prefix: String, namespace: String)] = [
    (0, "xml", "http://www.w3.org/XML/1998/namespace"), (0, "", ""),
  ]

  /// Binds a prefix within the element at a depth.
  mutating func bind(_ prefix: String, to namespace: String, depth: Int) {
    bindings.append((depth, prefix, namespace))
  }

  /// Ends the bindings of the element at a depth.
  mutating func leave(depth: Int) {
    while let last = bindings.last, last.depth >= depth, depth > 0 { bindings.removeLast() }
  }

  /// The namespace of a prefix; nothing when it is not bound.
  func namespace(of prefix: String) -> String? {
    bindings.last { $0.prefix == prefix }?.namespace
  }
}
