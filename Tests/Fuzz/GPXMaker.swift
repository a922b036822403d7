/// Creates valid GPX documents of every kind.
enum GPXMaker {
  static func document(_ random: inout FuzzRandom) -> [UInt8] {
    let prefix = random.once(in: 4) ? "g:" : ""
    let declaration = prefix.isEmpty ? "xmlns" : "xmlns:g"
    var text = random.once(in: 4) ? "\u{FEFF}" : ""
    if random.once(in: 2) { text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" }
    if random.once(in: 6) { text += "<!DOCTYPE gpx [<!ENTITY a \"b\">]>\n" }
    text += "<\(prefix)gpx version='1.1' \(declaration)=\"http://www.topografix.com/GPX/1/1\" xmlns:x=\"urn:x\">"
    for _ in 0..<random.below(3) { text += point("\(prefix)wpt", prefix, &random) }
    for _ in 0..<random.below(2) {
      text += "<\(prefix)rte>" + point("\(prefix)rtept", prefix, &random) + "</\(prefix)rte>\r\n"
    }
    for _ in 0..<random.below(3) {
      text += "<\(prefix)trk><\(prefix)name>t</\(prefix)name><\(prefix)trkseg>"
      for _ in 0..<random.below(5) { text += point("\(prefix)trkpt", prefix, &random) }
      text += "</\(prefix)trkseg></\(prefix)trk>\n"
    }
    text += "</\(prefix)gpx>"
    guard random.once(in: 8) else { return Array(text.utf8) }
    // UTF-16 with its byte order mark, independent of the declaration.
    let isBig = random.once(in: 2)
    let body = text.hasPrefix("\u{FEFF}") ? text : "\u{FEFF}" + text
    return body.utf16.flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return isBig ? [high, low] : [low, high]
    }
  }

  private static func point(_ name: String, _ prefix: String, _ random: inout FuzzRandom) -> String {
    let latitude = Double(random.below(1_800_001)) / 10_000 - 90
    let longitude = Double(random.below(3_600_001)) / 10_000 - 180
    var content = ""
    if random.once(in: 2) { content += "<\(prefix)ele>\(Double(random.below(9000)) / 10)</\(prefix)ele>" }
    if random.once(in: 2) {
      content +=
        "<\(prefix)time>2024-0\(1 + random.below(9))-1\(random.below(10))T0\(random.below(10)):00:00Z</\(prefix)time>"
    }
    if random.once(in: 4) { content += "<\(prefix)name>&lt;<![CDATA[<a>]]>&#x1F600;ü</\(prefix)name>" }
    if random.once(in: 4) {
      content += "<\(prefix)extensions><x:trkpt lat='999'/><x:time>?</x:time></\(prefix)extensions>"
    }
    if random.once(in: 8) { content += "<!-- a comment -->" }
    let tag = "\(name) lat=\"\(latitude)\" lon='\(longitude)'"
    return content.isEmpty ? "<\(tag)/>" : "<\(tag)>\(content)</\(name)>\n"
  }
}
