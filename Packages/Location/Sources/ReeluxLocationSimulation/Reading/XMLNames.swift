import ReeluxCore

/// The names of a document, each with a number. Elements are compared by number and not by text.
struct XMLNames {
  /// The names with a meaning in GPX.
  enum Word: String {
    case gpx, trk, trkseg, trkpt, rte, rtept, wpt, time, ele, name, speed, course, hdop, vdop, sat, extensions, lat, lon
    case bearing, hAcc, vAcc

    /// Whether an extension with this name is a value of a fix.
    var isOfFix: Bool {
      switch self {
      case .speed, .course, .bearing, .hAcc, .vAcc: true
      default: false
      }
    }
  }

  struct Entry {
    let bytes: [UInt8]
    /// The number of the prefix; 0 without a prefix.
    let prefix: Int
    /// The part after the colon.
    let local: String
    let word: Word?
    /// The prefix that the attribute declares: `xmlns` or `xmlns:x`.
    let declares: Int?
  }

  private(set) var entries: [Entry] = []
  private var prefixes = ["": 0]
  /// The numbers of entries by hash, in an open-addressing table. −1 marks a free slot.
  private var slots = [Int](repeating: -1, count: 256)

  /// The largest number of different names.
  static let limit = 10_000

  /// The initial value of a name's hash (FNV-1a).
  static let hashStart = FNV1a().value

  /// The hash of a name with one further byte.
  @inline(__always) static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 { FNV1a.step(hash, byte) }

  /// The number of a name.
  ///
  /// - Returns: `nil` if there are too many names.
  mutating func number(of window: [UInt8], _ range: Range<Int>, colon: Int?, hash: UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (slots.count - 1)
    while slots[slot] >= 0 {
      if Self.equal(entries[slots[slot]].bytes, window, range) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard entries.count < Self.limit else { return nil }
    slots[slot] = entries.count
    entries.append(entry(Array(window[range]), colon: colon.map { $0 - range.lowerBound }))
    if entries.count * 2 > slots.count { grow() }
    return entries.count - 1
  }

  /// Whether these bytes equal a name.
  @inline(__always) static func equal(_ name: [UInt8], _ window: [UInt8], _ range: Range<Int>) -> Bool {
    guard name.count == range.count else { return false }
    for index in 0..<name.count where name[index] != window[range.lowerBound + index] { return false }
    return true
  }

  /// The name as the document contains it.
  func written(_ number: Int) -> String { String(decoding: entries[number].bytes, as: UTF8.self) }

  private mutating func entry(_ bytes: [UInt8], colon: Int?) -> Entry {
    let text = String(decoding: bytes, as: UTF8.self)
    let prefix = colon.map { String(decoding: bytes[..<$0], as: UTF8.self) } ?? ""
    let local = colon.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) } ?? text
    let declares = text == "xmlns" ? 0 : prefix == "xmlns" ? numberOfPrefix(local) : nil
    return Entry(
      bytes: bytes, prefix: numberOfPrefix(prefix), local: local, word: Word(rawValue: local), declares: declares)
  }

  /// The number of a prefix. There are at most as many prefixes as names.
  mutating func numberOfPrefix(_ prefix: String) -> Int {
    if let number = prefixes[prefix] { return number }
    prefixes[prefix] = prefixes.count
    return prefixes.count - 1
  }

  private mutating func grow() {
    slots = [Int](repeating: -1, count: slots.count * 2)
    for (number, entry) in entries.enumerated() {
      let hash = entry.bytes.reduce(Self.hashStart) { Self.hash($0, $1) }
      var slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = number
    }
  }
}

/// The bindings of prefixes to namespaces, nested like the elements. A namespace is a number too, and 0 means none.
struct XMLNamespaces {
  /// The namespaces of each prefix, the innermost last.
  private var bindings: [[Int]] = [[]]
  /// The prefixes of all open bindings, in the order of the bindings.
  private var bound: [(depth: Int, prefix: Int)] = []
  private(set) var names = [""]

  /// The largest number of different namespaces, with the empty one and that of `xml`. A real document has a few.
  static let limit = 256

  /// Binds a prefix for the element at this depth.
  ///
  /// - Returns: Whether there is room for the namespace.
  mutating func bind(_ prefix: Int, to namespace: String, depth: Int) -> Bool {
    let number = names.firstIndex(of: namespace) ?? names.count
    guard number < Self.limit else { return false }
    if number == names.count { names.append(namespace) }
    while bindings.count <= prefix { bindings.append([]) }
    bindings[prefix].append(number)
    bound.append((depth, prefix))
    return true
  }

  /// Ends the bindings of the element at this depth.
  @inline(__always) mutating func leave(depth: Int) {
    while let last = bound.last, last.depth >= depth {
      bindings[last.prefix].removeLast()
      bound.removeLast()
    }
  }

  /// The namespace of a prefix; `nil` if it is not bound.
  @inline(__always) func namespace(of prefix: Int) -> Int? {
    if prefix < bindings.count, let namespace = bindings[prefix].last { return namespace }
    return prefix == 0 ? 0 : nil
  }
}
