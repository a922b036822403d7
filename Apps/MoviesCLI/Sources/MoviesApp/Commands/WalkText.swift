import ReeluxLocation
import ReeluxLogger

/// A walk and the cinemas around, as text and as JSON.
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
        table: .init(heading: "DISTANCE", alignsRight: true, yields: 1), cell: { Prose.metres($0.metres) }),
      .init(
        key: "latitude", json: { .double($0.cinema.coordinate.latitude) },
        text: { degrees($0.cinema.coordinate.latitude) },
        table: nil),
      .init(
        key: "longitude", json: { .double($0.cinema.coordinate.longitude) },
        text: { degrees($0.cinema.coordinate.longitude) },
        table: .init(heading: "PLACE", yields: 2, emphasis: .faint),
        cell: { "\(degrees($0.cinema.coordinate.latitude)), \(degrees($0.cinema.coordinate.longitude))" }),
      .init(key: "fictional", json: { _ in true }, text: { _ in "true" }, table: nil),
    ])
  }

  /// Steps as JSON lines.
  ///
  /// There may be millions of them. So each member is written in place, without a value in between.
  package static func json(_ steps: [WalkStep]) -> String {
    var lines: [UInt8] = []
    lines.reserveCapacity(steps.count * 200)
    var json = JSONWriter(isForPage: false)
    for step in steps {
      json.object { json in
        json.member("schema", schema)
        json.member("type", "fix")
        json.member("latitude", step.fix.coordinate.latitude)
        json.member("longitude", step.fix.coordinate.longitude)
        json.member("timestamp", step.fix.timestamp.description)
        json.member("distance", rounded(step.distance))
        json.name("nearest")
        guard let nearest = step.nearest else { return json.null() }
        json.object { json in
          json.member("name", nearest.cinema.name)
          json.member("distance", rounded(nearest.metres))
        }
      }
      lines += json.take()
      lines.append(UInt8(ascii: "\n"))
    }
    return String(decoding: lines, as: UTF8.self)
  }

  /// The end of a walk as a JSON line.
  package static func json(fixes: Int, distance: Double) -> String {
    JSONOutput.line(
      .object([
        ("schema", .int(schema)), ("type", "summary"), ("fixes", .int(fixes)), ("distance", .double(rounded(distance))),
      ])) + "\n"
  }

  /// Metres to the millimetre: more digits would pretend.
  private static func rounded(_ metres: Double) -> Double {
    (metres * 1000).rounded() / 1000
  }

  /// The time of day of a fix, in UTC.
  private static func clock(_ timestamp: Timestamp) -> String {
    let text = timestamp.description
    return text.firstIndex(of: "T").map { String(text[text.index(after: $0)...].prefix(8)) } ?? text
  }

  private static func degrees(_ degrees: Double) -> String { Prose.decimal(degrees, places: 5) }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(text))) + text
  }
}
