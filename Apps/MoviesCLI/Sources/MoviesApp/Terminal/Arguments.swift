/// The arguments and options of a command. Reading an invalid value throws a usage error that describes the valid ones.
package struct Arguments: Hashable, Sendable {
  /// The command's name, for messages.
  let command: String

  /// The positional arguments.
  var words: [String] = []

  /// The positional arguments that name files which the command reads.
  var inputFiles: [String] = []

  /// The options' values by name; flags have the value `""`. If an option is given twice, the last value counts.
  var options: [String: String] = [:]

  /// All values of each option, in the order of the command line.
  var repeated: [String: [String]] = [:]

  /// The first positional argument; empty if there is none.
  var first: String { words.first ?? "" }

  /// Whether a flag is given.
  func has(_ flag: String) -> Bool { options[flag] != nil }

  /// A usage error about this command.
  func error(_ message: String) -> UsageError {
    UsageError("'\(command)' \(message)", command: command)
  }

  /// The text of an option.
  func text(_ name: String) -> String? { options[name] }

  /// All texts of an option that may be given more than once.
  func texts(_ name: String) -> [String] { repeated[name] ?? text(name).map { [$0] } ?? [] }

  /// A whole number of at least one.
  func count(_ name: String) throws(UsageError) -> Int? {
    if let text = text(name), DecimalText.isDigits(text), Int(text) == nil {
      throw UsageError("\(name) \(text) is too large", command: command)
    }
    return try read(name, "a whole number from 1") { text in
      DecimalText.wholeNumber(text).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// The format of a list, from `--format` or `--json`.
  func format() throws(UsageError) -> OutputFormat {
    let format = text("--format").flatMap(OutputFormat.init)
    guard has("--json") else { return format ?? .table }
    if let format, format != .json {
      throw UsageError("--json and --format \(format.rawValue) cannot be used together", command: command)
    }
    return .json
  }

  /// A duration.
  func duration(_ name: String) throws(UsageError) -> Duration? {
    try read(name, "a duration with its unit, such as 300ms, 1.5s or 1m, up to 10m", DurationText.duration)
  }

  /// A number from 0 to 1.
  func probability(_ name: String) throws(UsageError) -> Double? {
    try read(name, "a number from 0 to 1") { text in
      DecimalText.number(text).flatMap { (0...1).contains($0) ? $0 : nil }
    }
  }

  /// A seed.
  func seed(_ name: String) throws(UsageError) -> UInt64? {
    try read(name, "a whole number from 0 to \(UInt64.max)") { DecimalText.isDigits($0) ? UInt64($0) : nil }
  }

  /// A distance in metres, above 0 and at most 20,004,000.
  func metres(_ name: String) throws(UsageError) -> Double? {
    // The largest distance between two places on the Earth is 20,004 km.
    try read(name, "metres above 0 and up to 20004000, such as 500 or 1500") { text in
      DecimalText.number(text).flatMap { $0 > 0 && $0 <= 20_004_000 ? $0 : nil }
    }
  }

  /// Reads an option with a closure that returns `nil` for an invalid value. `wanted` describes the valid ones.
  func read<Value>(
    _ name: String, _ wanted: String, _ convert: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = convert(text) else {
      throw UsageError("\(name) needs \(wanted), not '\(text)'", command: command)
    }
    return value
  }
}

/// Durations in the notation of the command line: `0ms`, `300ms`, `1.5s`, `1m`.
enum DurationText {
  /// The duration in a text; `nil` if there is none, if it is negative, or if it exceeds ten minutes. A longer
  /// one probably has the wrong unit.
  static func duration(_ text: String) -> Duration? {
    let number: Substring
    let unit: Double
    if text.hasSuffix("ms") {
      number = text.dropLast(2)
      unit = 1
    } else if let known = ["s": 1000.0, "m": 60_000][String(text.suffix(1))] {
      number = text.dropLast(1)
      unit = known
    } else {
      return nil
    }
    guard let value = DecimalText.number(number), value >= 0, value * unit <= 600_000 else { return nil }
    return .microseconds(Int64((value * unit * 1000).rounded()))
  }
}

/// Decimal numbers with digits, a sign and a point. `nan`, `0x1p4` and `inf` are invalid.
enum DecimalText {
  /// Whether a text consists of one or more ASCII digits.
  static func isDigits(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The number in a text of digits without a sign; `nil` if there is none, or if it is too large.
  static func wholeNumber(_ text: some StringProtocol) -> Int? { isDigits(text) ? Int(text) : nil }

  /// The number in a text; `nil` if there is none.
  static func number(_ text: some StringProtocol) -> Double? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1, digits.contains(where: \.isNumber),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    let padded = digits.hasPrefix(".") ? "0" + digits : String(digits)
    guard let value = Double(padded.hasSuffix(".") ? padded + "0" : padded), value.isFinite else { return nil }
    return text.hasPrefix("-") ? -value : value
  }
}
