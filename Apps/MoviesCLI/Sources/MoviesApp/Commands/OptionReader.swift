import ReeluxLocation

/// The values of options, read as what they mean; what makes no sense is a usage error that says what is wanted.
struct OptionReader {
  let parsed: ParsedArguments
  let command: String

  /// A usage error about this command.
  func error(_ message: String) -> UsageError {
    UsageError("'\(command)' \(message)", command: command)
  }

  /// The text of an option.
  func text(_ name: String) -> String? { parsed.options[name] }

  /// A whole number from zero.
  func count(_ name: String) throws(UsageError) -> Int? {
    try read(name, "a whole number from 0") { text in
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
  }

  /// Whole numbers between commas.
  func numbers(_ name: String) throws(UsageError) -> Set<Int> {
    let numbers = try read(name, "numbers of actions, such as 3,5,8") { text -> Set<Int>? in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      return numbers.contains { $0 == nil || $0 ?? 0 < 1 } ? nil : Set(numbers.compactMap { $0 })
    }
    return numbers ?? []
  }

  /// A year or a range of years.
  func years(_ name: String) throws(UsageError) -> (first: Int?, last: Int?) {
    let range = try read(name, "a year or a range, such as 1927, 1920..1929 or 1920..") { text -> (Int?, Int?)? in
      func year(_ text: some StringProtocol) -> Int? {
        text.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
      }
      guard let dots = text.firstRange(of: "..") else { return year(text).map { ($0, $0) } }
      let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (first, last) = (year(start), year(end))
      guard start.isEmpty == (first == nil), end.isEmpty == (last == nil), first != nil || last != nil,
        first ?? .min <= last ?? .max
      else { return nil }
      return (first, last)
    }
    return range ?? (nil, nil)
  }

  /// A duration.
  func duration(_ name: String) throws(UsageError) -> Duration? {
    try read(name, "a duration up to an hour, such as 0ms, 300ms or 1.5s", DurationText.duration)
  }

  /// A number from 0 to 1.
  func probability(_ name: String) throws(UsageError) -> Double? {
    try read(name, "a number from 0 to 1") { text in
      DecimalText.number(text).flatMap { (0...1).contains($0) ? $0 : nil }
    }
  }

  /// A seed.
  func seed(_ name: String) throws(UsageError) -> UInt64? {
    try read(name, "a whole number from 0 to \(UInt64.max)") { UInt64($0) }
  }

  /// A distance above zero.
  func metres(_ name: String) throws(UsageError) -> Double? {
    try read(name, "metres above 0") { text in
      DecimalText.number(text).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// A speed.
  func speed(_ name: String) throws(UsageError) -> TrackSpeed? {
    try read(name, "a factor above 0, such as 1 or 60, or max") { text in
      text == "max" ? .maximum : DecimalText.number(text).flatMap { $0 > 0 ? .factor($0) : nil }
    }
  }

  /// A latitude and a longitude in degrees.
  func place(_ name: String) throws(UsageError) -> Coordinate? {
    let place = try read(name, "LATITUDE,LONGITUDE in degrees, such as 52.39,13.12") { text -> [Double]? in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { part in
        DecimalText.number(TextTrimming.trimmed(part))
      }
      return numbers.count == 2 && text.count(where: { $0 == "," }) == 1 ? numbers : nil
    }
    guard let place else { return nil }
    let (latitude, longitude) = (place[0], place[1])
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) { return coordinate }
    throw UsageError(
      (-90...90).contains(latitude)
        ? "\(name): the longitude \(longitude) is not from -180 to 180"
        : "\(name): the latitude \(latitude) is not from -90 to 90", command: command)
  }

  private func read<Value>(
    _ name: String, _ wanted: String, _ convert: (String) -> Value?
  ) throws(UsageError) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = convert(text) else {
      throw UsageError("\(name) wants \(wanted), not '\(text)'", command: command)
    }
    return value
  }
}
