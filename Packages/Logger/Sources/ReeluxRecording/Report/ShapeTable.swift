import ReeluxLogger

/// A table for similar JSON values. Each value is written as the number of its shape and the list of its leaves.
///
/// The shape of `{"at": {"latitude": 52.5, "longitude": 13.4}}` is `{"at": {"latitude": 0, "longitude": 0}}`. With it,
/// the report of a long walk has a tenth of the size.
///
/// In a shape, `0` stands for a leaf, and `1` for the name of an enum's case.
///
/// A long leaf that occurred earlier in the row is written as `[k]`, the number of that leaf in the row.
struct ShapeTable {
  private static let longest = 64

  private var numbers: [UInt64: Int] = [:]
  private(set) var shapes: [UInt8] = []
  private var leaf: [UInt8] = []
  /// The texts of the row's long leaves, the position of each, and the number of leaves.
  private var texts: [UInt8] = []
  private var leaves: [(number: Int, place: Range<Int>)] = []
  private var count = 0

  /// Begins a row without earlier leaves.
  mutating func beginRow() {
    texts.removeAll(keepingCapacity: true)
    leaves.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Appends `[leaf,…],number`.
  mutating func write(_ value: JSONTree, to bytes: inout [UInt8]) {
    var shape = JSONWriter()
    bytes.append(0x5b)
    var isFirst = true
    split(value, &shape, &bytes, &isFirst)
    bytes.append(contentsOf: "],\(number(of: shape.bytes))".utf8)
  }

  private mutating func number(of shape: [UInt8]) -> Int {
    var digest = Digest()
    digest.add(shape[...])
    if let known = numbers[digest.value] { return known }
    let number = numbers.count
    numbers[digest.value] = number
    if number > 0 { shapes.append(0x2c) }
    shapes += shape
    return number
  }

  private mutating func split(
    _ value: JSONTree, _ shape: inout JSONWriter, _ bytes: inout [UInt8], _ isFirst: inout Bool
  ) {
    switch value.content {
    case .array(let elements): shape.array(elements) { split($1, &$0, &bytes, &isFirst) }
    case .object(let members):
      shape.object { shape in
        for member in members {
          shape.name(member.name)
          split(member.value, &shape, &bytes, &isFirst)
        }
      }
    case .null, .bool, .number, .string:
      shape.number(value.isCase ? 1 : 0)
      if !isFirst { bytes.append(0x2c) }
      isFirst = false
      writeLeaf(value, to: &bytes)
    }
  }

  private mutating func writeLeaf(_ value: JSONTree, to bytes: inout [UInt8]) {
    leaf.removeAll(keepingCapacity: true)
    if case .number(let text) = value.content, text.utf8.count > 15, Double(text)?.description != text {
      // JavaScript might round the number.
      leaf.append(contentsOf: "[\"\(text)\"]".utf8)
    } else {
      value.write(to: &leaf)
    }
    defer { count += 1 }
    guard leaf.count > 4 else { return bytes.append(contentsOf: leaf) }
    if let earlier = earlierLeaf { return bytes.append(contentsOf: "[\(earlier)]".utf8) }
    bytes.append(contentsOf: leaf)
    if leaves.count < Self.longest {
      leaves.append((count, texts.count..<(texts.count + leaf.count)))
      texts.append(contentsOf: leaf)
    }
  }

  /// The number of an earlier leaf of the row with the same text.
  private var earlierLeaf: Int? {
    leaves.first { texts[$0.place] == leaf[...] }?.number
  }
}

/// A table of texts or lists. Equal ones are written once.
struct TextTable {
  private var numbers: [[UInt8]: Int] = [:]
  private(set) var texts: [UInt8] = []

  /// The number of an entry that is already JSON.
  mutating func number(of json: String) -> Int {
    let text = Array(json.utf8)
    if let known = numbers[text] { return known }
    let number = numbers.count
    numbers[text] = number
    if number > 0 { texts.append(0x2c) }
    texts += text
    return number
  }
}
