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
  func place(_ name: String) throws(UsageError) -> Place? {
    let place = try read(name, "LATITUDE,LONGITUDE in degrees, such as 52.39,13.12") { text -> Place? in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        DecimalText.number(TextTrimming.trimmed(part))
      }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
      return Place(latitude: latitude, longitude: longitude)
    }
    guard let place else { return nil }
    guard (-90...90).contains(place.latitude) else {
      throw UsageError("\(name): the latitude \(place.latitude) is not from -90 to 90", command: command)
    }
    guard (-180...180).contains(place.longitude) else {
      throw UsageError("\(name): the longitude \(place.longitude) is not from -180 to 180", command: command)
    }
    return place
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
