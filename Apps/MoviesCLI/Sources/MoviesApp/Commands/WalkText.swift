import ReeluxLocation

/// The steps of a walk and the cinemas around a place, as text and as JSON.
package enum WalkText {
  /// The schema number of JSON Lines.
  static let schema = 1

  /// A line about a step.
  package static func line(_ step: WalkStep, style: TextStyle = TextStyle()) -> String {
    let place = step.fix.coordinate
    var text =
      "\(clock(step.fix.timestamp))  \(padded(degrees(place.latitude), 10)) \(padded(degrees(place.longitude), 11))"
    text += "  \(padded(Prose.metres(step.distance), 9))"
    if let nearest = step.nearest {
      text += "  \(Prose.metres(nearest.metres)) to \(TextStyle.harmless(nearest.cinema.name))"
    }
    return style.fitted(text) + "\n"
  }

  /// The line at the end of a walk.
  package static func summary(fixes: Int, distance: Double, nearest: CinemaDistance?, style: TextStyle = TextStyle())
    -> String
  {
    var text = "\(Prose.count(fixes, "fix", "fixes")), \(Prose.metres(distance))"
    if let nearest { text += "; nearest: \(TextStyle.harmless(nearest.cinema.name)), \(Prose.metres(nearest.metres))" }
    return style.emphasized(style.fitted(text), .strong) + "\n"
  }

  /// The columns of a list of cinemas.
  static var cinemas: Listing<CinemaDistance> {
    Listing(columns: [
      .init(
        key: "name", json: { .string($0.cinema.name) }, text: \.cinema.name,
        table: .init(heading: "CINEMA (fictional)")),
      .init(
        key: "distance", json: { .double(rounded($0.metres)) }, text: { JSONOutput.line(.double(rounded($0.metres))) },
        table: .init(heading: "DISTANCE", alignsRight: true, shrinkOrder: 1), cell: { Prose.metres($0.metres) }),
      .init(
        key: "latitude", json: { .double($0.cinema.coordinate.latitude) },
        text: { degrees($0.cinema.coordinate.latitude) },
        table: nil),
      .init(
        key: "longitude", json: { .double($0.cinema.coordinate.longitude) },
        text: { degrees($0.cinema.coordinate.longitude) },
        table: .init(heading: "PLACE", shrinkOrder: 2, emphasis: .faint),
        cell: { "\(degrees($0.cinema.coordinate.latitude)), \(degrees($0.cinema.coordinate.longitude))" }),
      .init(key: "fictional", json: { _ in true }, text: { _ in "true" }, table: nil),
    ])
  }

  /// Steps as JSON lines.
  ///
  /// There may be millions of steps, so each is written directly into the text.
  package static func json(_ steps: [WalkStep]) -> String {
    var lines: [UInt8] = []
    lines.reserveCapacity(steps.count * 200)
    for step in steps {
      lines += StepText.latitude
      JSONOutput.append(step.fix.coordinate.latitude, to: &lines)
      lines += StepText.longitude
      JSONOutput.append(step.fix.coordinate.longitude, to: &lines)
      lines += StepText.timestamp
      lines += step.fix.timestamp.description.utf8
      lines += StepText.distance
      JSONOutput.append(rounded(step.distance), to: &lines)
      if let nearest = step.nearest {
        lines += StepText.nearest
        JSONOutput.append(nearest.cinema.name, to: &lines)
        lines += StepText.nearestDistance
        JSONOutput.append(rounded(nearest.metres), to: &lines)
        lines += StepText.end
      } else {
        lines += StepText.endWithoutNearest
      }
    }
    return String(decoding: lines, as: UTF8.self)
  }

  /// The text between the values of a step's line.
  private enum StepText {
    static let latitude = Array("{\"schema\":\(schema),\"type\":\"fix\",\"latitude\":".utf8)
    static let longitude = Array(#","longitude":"#.utf8)
    static let timestamp = Array(#","timestamp":""#.utf8)
    static let distance = Array(#"","distance":"#.utf8)
    static let nearest = Array(#","nearest":{"name":"#.utf8)
    static let nearestDistance = Array(#","distance":"#.utf8)
    static let end = Array("}}\n".utf8)
    static let endWithoutNearest = Array(",\"nearest\":null}\n".utf8)
  }

  /// The end of a walk as a JSON line.
  package static func json(fixes: Int, distance: Double) -> String {
    JSONOutput.line(
      .object([
        ("schema", .int(schema)), ("type", "summary"), ("fixes", .int(fixes)), ("distance", .double(rounded(distance))),
      ])) + "\n"
  }

  /// Rounds to the millimetre, because the accuracy is not higher.
  private static func rounded(_ metres: Double) -> Double {
    (metres * 1000).rounded() / 1000
  }

  /// The time of day of a fix in UTC.
  private static func clock(_ timestamp: Timestamp) -> String {
    let text = timestamp.description
    return text.firstIndex(of: "T").map { String(text[text.index(after: $0)...].prefix(8)) } ?? text
  }

  private static func degrees(_ degrees: Double) -> String { Prose.decimal(degrees, places: 5) }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(text))) + text
  }
}
