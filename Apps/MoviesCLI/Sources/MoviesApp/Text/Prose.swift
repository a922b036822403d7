/// Small pieces of prose.
enum Prose {
  /// `a`, `a and b`, `a, b and c`.
  static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
  }

  /// `1 movie`, `2 movies`, `1,234 movies`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// The text in lines of at most this number of columns, broken at blanks. A longer word has a line of its own.
  static func wrapped(_ text: String, to width: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, TextWidth.columns(line) + 1 + TextWidth.columns(word) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The text in at most this number of lines. If it has more, the last one ends with `…`.
  static func lines(_ text: String, to width: Int, limit: Int) -> [String] {
    let lines = wrapped(text, to: width).split(separator: "\n").map(String.init)
    guard lines.count > limit, limit > 0 else { return lines }
    return lines.prefix(limit - 1) + [TextWidth.shortened(lines[(limit - 1)...].joined(separator: " "), to: width)]
  }

  /// A whole number with commas as thousands separators.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A readable distance: `123 m`, `1.24 km`. A number that is too large for a distance keeps its exponent.
  static func metres(_ metres: Double) -> String {
    guard metres.magnitude < 1e15 else { return "\(metres) m" }
    guard metres < 999.5 else {
      guard metres < 99_950 else { return "\(grouped(Int((metres / 1000).rounded()))) km" }
      return "\(decimal(metres / 1000, places: metres < 9995 ? 2 : 1)) km"
    }
    return "\(Int(metres.rounded())) m"
  }

  /// A number with this number of decimal places. A number with too many digits keeps its exponent.
  static func decimal(_ number: Double, places: Int) -> String {
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    guard number.magnitude * Double(unit) < 1e15 else { return "\(number)" }
    let scaled = Int((number.magnitude * Double(unit)).rounded())
    let digits = String(scaled % unit)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    return "\(sign)\(scaled / unit).\(String(repeating: "0", count: places - digits.count))\(digits)"
  }
}

extension StringProtocol {
  /// The text without leading and trailing blanks.
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}
