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
    var json = JSONWriter(isForPage: false)
    write(value, to: &json)
    return json.text
  }

  /// An array with each element on a line of its own, and a newline at the end.
  package static func array(_ values: [Value]) -> String {
    if values.isEmpty { return "[]\n" }
    return "[\n" + values.map { "  " + line($0) }.joined(separator: ",\n") + "\n]\n"
  }

  static func write(_ value: Value, to json: inout JSONWriter) {
    switch value {
    case .null: json.null()
    case .bool(let flag): json.flag(flag)
    case .int(let number): json.number(number)
    case .double(let number): json.number(number)
    case .string(let text): json.string(text)
    case .verbatim(let text): json.verbatim(text.utf8)
    case .array(let values): json.array(values) { write($1, to: &$0) }
    case .object(let members):
      json.object { json in
        for (name, value) in members {
          json.name(name)
          write(value, to: &json)
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes the shortest text that gives the same number back; whole numbers without a point. A number that JSON does not
  /// have is written as `null`.
  mutating func number(_ number: Double) {
    guard number.isFinite, number != 0 else { return verbatim((number == 0 ? "0" : "null").utf8) }
    let text = number.description.utf8
    verbatim(text.dropLast(text.suffix(2).elementsEqual(".0".utf8) ? 2 : 0))
  }

  mutating func member(_ name: String, _ number: Double) {
    self.name(name)
    self.number(number)
  }
}
