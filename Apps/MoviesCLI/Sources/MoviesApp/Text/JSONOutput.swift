import ReeluxLogger

/// JSON as the commands print it, with keys in a fixed order.
package enum JSONOutput {
  /// A value to write.
  package indirect enum Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([Value])
    case object([(String, Value)])
    /// Text that is JSON already.
    case verbatim(String)

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
  }

  /// A value on one line.
  package static func line(_ value: Value) -> String {
    var text = ""
    write(value, to: &text)
    return text
  }

  /// An array with each element on a line of its own, and a newline at the end.
  package static func array(_ values: [Value]) -> String {
    guard !values.isEmpty else { return "[]\n" }
    var text = "[\n"
    for (place, value) in values.enumerated() {
      text += "  "
      write(value, to: &text)
      text += place == values.count - 1 ? "\n" : ",\n"
    }
    return text + "]\n"
  }

  static func write(_ value: Value, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .int(let number): text += String(number)
    case .double(let number): text += number.isFinite ? Self.number(number) : "null"
    case .string(let string): quote(string, to: &text)
    case .verbatim(let json): text += json
    case .array(let values):
      text += "["
      for (place, value) in values.enumerated() {
        if place > 0 { text += "," }
        write(value, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (place, member) in members.enumerated() {
        if place > 0 { text += "," }
        quote(member.0, to: &text)
        text += ":"
        write(member.1, to: &text)
      }
      text += "}"
    }
  }

  /// The shortest text that gives the same number back; whole numbers without a point.
  private static func number(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? (text == "-0.0" ? "0" : String(text.dropLast(2))) : text
  }

  private static func quote(_ string: String, to text: inout String) {
    var bytes: [UInt8] = []
    JSONText.append(string, to: &bytes, isForPage: false)
    text += String(decoding: bytes, as: UTF8.self)
  }
}
