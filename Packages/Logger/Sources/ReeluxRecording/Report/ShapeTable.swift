/// JSON values of which many look alike, written as a number for the shape and a list of what fills it.
///
/// The shape of `{"at": {"latitude": 52.5, "longitude": 13.4}}` is `{"at": {"latitude": 0, "longitude": 0}}`. The report of a
/// long walk is a tenth as long with it.
struct ShapeTable {
  private var numbers: [[UInt8]: Int] = [:]
  private(set) var shapes: [UInt8] = []
  private var shape: [UInt8] = []

  var count: Int { numbers.count }

  /// Appends `number,[leaf,…]`.
  mutating func write(_ value: JSONTree, to bytes: inout [UInt8]) {
    shape.removeAll(keepingCapacity: true)
    var leaves: [UInt8] = []
    split(value, &leaves)
    let number: Int
    if let known = numbers[shape] {
      number = known
    } else {
      number = numbers.count
      numbers[shape] = number
      if number > 0 { shapes.append(0x2c) }
      shapes += shape
    }
    bytes.append(contentsOf: "\(number),[".utf8)
    bytes += leaves
    bytes.append(0x5d)
  }

  private mutating func split(_ value: JSONTree, _ leaves: inout [UInt8]) {
    switch value.content {
    case .array(let elements):
      shape.append(0x5b)
      for (position, element) in elements.enumerated() {
        if position > 0 { shape.append(0x2c) }
        split(element, &leaves)
      }
      shape.append(0x5d)
    case .object(let members):
      shape.append(0x7b)
      for (position, member) in members.enumerated() {
        if position > 0 { shape.append(0x2c) }
        JSONTree.string(member.name).write(to: &shape)
        shape.append(0x3a)
        split(member.value, &leaves)
      }
      shape.append(0x7d)
    case .null, .bool, .number, .string:
      shape.append(0x30)
      if !leaves.isEmpty { leaves.append(0x2c) }
      if case .number(let text) = value.content, text.utf8.count > 15,
        !text.utf8.contains(where: { $0 == 0x2e || $0 | 0x20 == 0x65 })
      {
        // JavaScript would round it.
        leaves += JSONTree.array([.string(text)]).bytes
      } else {
        value.write(to: &leaves)
      }
    }
  }
}

/// Texts or lists of which many are equal, each written once.
struct TextTable {
  private var numbers: [String: Int] = [:]
  private(set) var texts: [UInt8] = []

  /// The number of an entry that is JSON already.
  mutating func number(of json: String) -> Int {
    if let known = numbers[json] { return known }
    let number = numbers.count
    numbers[json] = number
    if number > 0 { texts.append(0x2c) }
    texts += json.utf8
    return number
  }
}
