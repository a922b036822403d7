/// A JSON value and the line that it begins on.
struct JSONNode {
  /// A JSON value.
  indirect enum Value {
    case null
    case bool(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([(key: String, value: JSONNode)])
  }

  let line: Int
  let value: Value

  /// The value of a key; the last one when the key is repeated.
  subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.last { $0.key == key }?.value
  }

  /// What kind of value it is, for messages.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
