import ReeluxLogger

/// JSON with keys in a fixed order.
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
    /// Text that is already JSON. Control characters in its strings are escaped, as in ``string(_:)``.
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

  /// JSON whose strings contain no control characters. Outside of strings, JSON has none but blanks and newlines.
  private static func escapingControls(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: TextStyle.isControl) else { return json }
    var escaped = ""
    for scalar in json.unicodeScalars {
      if scalar.value > 0x20, TextStyle.isControl(scalar) {
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// An array with each element on a line of its own, and a newline at the end.
  package static func array(_ values: [Value]) -> String {
    if values.isEmpty { return "[]\n" }
    return "[\n" + values.map { "  " + line($0) }.joined(separator: ",\n") + "\n]\n"
  }

  /// Appends the shortest text that gives the same number when it is read, and whole numbers without a point. `nan` and
  /// infinity are written as `null`.
  static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else { return bytes += "null".utf8 }
    // Two different decimals of at most 15 digits are never the same double. So a decimal of this length that gives the
    // same number is the shortest one.
    let scaled = (number * 1e7).rounded()
    guard abs(scaled) < 1e15, scaled / 1e7 == number, number == 0 || abs(number) >= 1e-3 else {
      let text = number.description.utf8
      return bytes += text.dropLast(text.suffix(2).elementsEqual(".0".utf8) ? 2 : 0)
    }
    if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = Int(scaled.magnitude).quotientAndRemainder(dividingBy: 10_000_000)
    append(digits: whole, to: &bytes)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (fraction, power) = (rest, 1_000_000)
    while fraction > 0 {
      let (digit, remainder) = fraction.quotientAndRemainder(dividingBy: power)
      bytes.append(UInt8(ascii: "0") + UInt8(digit))
      (fraction, power) = (remainder, power / 10)
    }
  }

  private static func append(digits number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { append(digits: number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Appends a string in quotes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard isPlain else { return bytes += line(.string(text)).utf8 }
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }

  static func write(_ value: Value, to json: inout JSONWriter) {
    switch value {
    case .null: json.null()
    case .bool(let flag): json.flag(flag)
    case .int(let number): json.number(number)
    case .double(let number): json.number(number)
    case .string(let text): json.string(text)
    case .verbatim(let text): json.verbatim(escapingControls(text).utf8)
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
  /// Writes the shortest text that gives the same number when it is read, and whole numbers without a point. `nan` and
  /// infinity are written as `null`.
  mutating func number(_ number: Double) {
    var text: [UInt8] = []
    JSONOutput.append(number, to: &text)
    verbatim(text)
  }
}
