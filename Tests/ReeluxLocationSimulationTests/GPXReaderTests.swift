import ReeluxLocation
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

@Suite(.conformance(81), .timeLimit(.minutes(15))) struct GPXReaderTests {
  private func points(_ document: String) throws -> [TrackPoint] {
    try points(of: .text(document, name: "walk.gpx"))
  }

  private func points(of source: ByteSource, mode: ReadingMode = .lenient) throws -> [TrackPoint] {
    var reader = try GPXReader(source, mode: mode)
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }

  private func gpx(_ content: String) -> String {
    #"<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">"# + content + "</gpx>"
  }

  @Test func everyKindOfPointIsReadInOrder() throws {
    let found = try points(
      gpx(
        """
        <metadata><time>2020-01-01T00:00:00Z</time></metadata>
        <wpt lat="1" lon="2"><name>Café &amp; Bar</name></wpt>
        <rte><name>way</name><rtept lat="3" lon="4"/><rtept lat="5" lon="6"/></rte>
        <trk><trkseg><trkpt lat="7" lon="8"><ele>9.5</ele><time>2024-05-01T12:00:00Z</time></trkpt></trkseg>
        <trkseg><trkpt lat="-10" lon="-11"/></trkseg></trk>
        <trk><trkseg/><trkseg><trkpt lat='12' lon = '13'><hdop>2</hdop></trkpt></trkseg></trk>
        """))
    #expect(found.map(\.role) == [.waypoint, .route, .route, .track, .track, .track])
    #expect(found.map(\.coordinate.latitude) == [1, 3, 5, 7, -10, 12])
    #expect(found.map(\.part) == [0, 0, 0, 1, 2, 4])
    #expect(found[0].name == "Café & Bar")
    #expect(found[3].altitude == 9.5)
    #expect(found[3].timestamp == Timestamp(iso8601: "2024-05-01T12:00:00Z"))
    #expect(found[4].timestamp == nil)
    #expect(found[5].horizontalAccuracy == 10)
  }

  @Test func elementsOfOtherNamespacesArePassedOver() throws {
    let found = try points(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:x="urn:other" xmlns="urn:third">
      <trk><trkseg><trkpt lat="999" lon="0"/></trkseg></trk>
      <g:trk><g:trkseg>
        <x:trkpt lat="abc"/>
        <g:trkpt lat="1" lon="2" x:lat="77">
          <x:time>never</x:time><ele>none</ele>
          <g:extensions><g:trkpt lat="500"/><x:trkpt lat="1" lon="1"><g:time>never</g:time></x:trkpt></g:extensions>
          <g:ele>3<x:ele>4</x:ele></g:ele>
        </g:trkpt>
        <trkpt xmlns="http://www.topografix.com/GPX/1/1" lat="5" lon="6"><ele>7</ele></trkpt>
        <trkpt lat="8" lon="9"/>
      </g:trkseg></g:trk></g:gpx>
      """)
    #expect(found.map(\.coordinate.latitude) == [1, 5])
    #expect(found.map(\.altitude) == [3, 7])
  }

  @Test func entitiesCommentsSectionsAndInstructionsAreUnderstood() throws {
    let found = try points(
      "\u{FEFF}<?xml version='1.0'?>\r\n<!DOCTYPE gpx [<!ENTITY a \"]>\">]>\n<!-- <wpt> -->"
        + gpx(
          """
          <?php wpt ?><wpt lat="&#49;.5" lon="&#x32;"><!-- - -->
          <name>a<![CDATA[<b>&c]]>&lt;&gt;&quot;&apos;&#x1F600;</name>
          <time>2024-05-01<!-- x -->T12:00:00Z</time><ele>
            1e1
          </ele></wpt>
          """) + "\n<!-- end -->\n")
    #expect(found.count == 1)
    #expect(found[0].coordinate == Coordinate(latitude: 1.5, longitude: 2))
    #expect(found[0].name == "a<b>&c<>\"'😀")
    #expect(found[0].timestamp == Timestamp(iso8601: "2024-05-01T12:00:00Z"))
    #expect(found[0].altitude == 10)
  }

  @Test func latinTextIsReadWhereTheDocumentSaysSo() throws {
    let bytes =
      Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><gpx><wpt lat="1" lon="2"><name>Z"#.utf8) + [0xFC]
      + Array("rich</name></wpt></gpx>".utf8)
    #expect(try points(of: .bytes(bytes)).first?.name == "Zürich")
  }

  @Test func documentsOfGPX10AndWithoutNamespaceAreRead() throws {
    let old =
      #"<gpx xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg><trkpt lat="1" lon="2"><speed>3</speed><course>-90</course></trkpt></trkseg></trk></gpx>"#
    #expect(try points(old).first?.speed == 3)
    #expect(try points(old).first?.course == 270)
    #expect(try points("<gpx><wpt lat='1' lon='2'/></gpx>").count == 1)
  }

  @Test(arguments: [
    ("", 1, "the file is empty"),
    ("\n\n  ", 3, "not a GPX document: it has no element <gpx>"),
    ("latitude", 1, "'l' where a document should begin"),
    ("<html>\n</html>", 1, "not a GPX document: its root element is <html>"),
    ("<!doctype html>\n<html><meta a=b></html>", 2, "not a GPX document: its root element is <html>"),
    ("<gpx xmlns='urn:x'/>", 1, "of the namespace 'urn:x'"),
    ("<gpx>\n<trk>\n<trkseg>", 3, "the file ends within <trkseg>"),
    ("<gpx>\n<wpt lat='1' lon=", 2, "the file ends in the tag <wpt>"),
    ("<gpx>\n<wpt lat='1' lon=2/>", 2, "is not quoted"),
    ("<gpx>\n<wpt lat='95' lon='0'/></gpx>", 2, "latitude 95.0 is not between -90 and 90"),
    ("<gpx>\n<wpt lat='5'\n lon='-180.5'/></gpx>", 3, "longitude -180.5 is not between -180 and 180"),
    ("<gpx>\r\n\r<wpt lon='0'/></gpx>", 3, "<wpt> has no attribute 'lat'"),
    ("<gpx><wpt lat='nan' lon='0'/></gpx>", 1, "latitude 'nan' is not a number"),
    ("<gpx><wpt lat='0x1p3' lon='0'/></gpx>", 1, "is not a number"),
    ("<gpx><wpt lat='1e999' lon='0'/></gpx>", 1, "is not a number"),
    ("<gpx><wpt lat='' lon='0'/></gpx>", 1, "latitude '' is not a number"),
    ("<gpx><wpt lat='1' lon='0'>\n<ele>high</ele></wpt></gpx>", 2, "'high' in <ele> is not a number"),
    (
      "<gpx><wpt lat='1' lon='0'>\n<time>noon</time></wpt></gpx>", 2,
      "the time 'noon' is not a valid time of the form 2024-05-01T08:00:00Z"
    ),
    ("<gpx>\n</trk></gpx>", 2, "</trk> where </gpx> should be"),
    ("<gpx/>\n<gpx/>", 2, "a second root element"),
    ("<gpx/>\nx", 2, "'x' after the end of the document"),
    ("<gpx>\n&nbsp;</gpx>", 2, "unknown entity '&nbsp;' (declarations in a DOCTYPE are not read)"),
    ("<gpx>\n& </gpx>", 2, "'&' does not begin an entity"),
    ("<gpx>&#0;</gpx>", 1, "'&#0;' is not a character"),
    ("<gpx>&#xD800;</gpx>", 1, "is not a character"),
    ("<gpx>&#+65;</gpx>", 1, "'&#+65;' is not a character"),
    ("<gpx>&#x+41;</gpx>", 1, "'&#x+41;' is not a character"),
    ("<gpx>&#99999999999999999999;</gpx>", 1, "is not a character"),
    ("<gpx a='1' a='2'/>", 1, "'a' is given twice"),
    ("<gpx a='<'/>", 1, "'<' in the value"),
    ("<gpx a='1'b='2'/>", 1, "where a space or '>' should be"),
    ("<gpx\u{B}a='1'/>", 1, "holds the byte 11 where a space or '>' should be"),
    ("\u{C}<gpx/>", 1, "the byte 12 where a document should begin with '<'"),
    ("<gpx/>\u{C}", 1, "the byte 12 after the end of the document"),
    ("<gpx a/>", 1, "'a' has no value"),
    ("<gpx>\n<x:y/></gpx>", 2, "the prefix of 'x:y' is not declared"),
    ("<gpx>\n<!-- never ended", 2, "in a comment that began in line 2"),
    ("<gpx>\u{1}</gpx>", 1, "the control character 1"),
    ("<gpx>< wpt/></gpx>", 1, "the byte 32 where the name of an element should be"),
    ("<?xml version='1.0' encoding='koi8-r'?><gpx/>", 1, "the encoding 'koi8-r' is not supported"),
    ("<gpx xmlns='https://www.topografix.com/GPX/1/1'/>", 1, "differs from that of GPX"),
  ])
  func aStrictReaderRefusesADamagedDocumentWithLineAndReason(document: String, line: Int, reason: String) throws {
    let error = try #require(throws: ReadingError.self) {
      try points(of: .text(document, name: "walk.gpx"), mode: .strict)
    }
    #expect(error.kind == .malformed)
    #expect(error.line == line)
    #expect(error.reason.contains(reason), "\(error.reason)")
    #expect(error.description.hasPrefix("walk.gpx:\(line): "))
  }

  @Test func textThatIsNotUTF8IsReadAsWindows1252AndRefusedInStrictMode() throws {
    let bytes = Array("<gpx><wpt lat='1' lon='2'><name>Z".utf8) + [0xFC] + Array("rich</name></wpt></gpx>".utf8)
    let error = try #require(throws: ReadingError.self) { try points(of: .bytes(bytes), mode: .strict) }
    #expect(error.reason.contains("text is not valid UTF-8"))
    #expect(try points(of: .bytes(bytes)).first?.name == "Zürich")
  }

  @Test func veryDeepNestingIsAnErrorAndNoTrap() throws {
    let error = try #require(throws: ReadingError.self) {
      try points("<gpx>" + String(repeating: "<a>", count: 100_000))
    }
    #expect(error.reason.contains("nested more than 256 deep"))
  }

  @Test func everyPrefixOfADocumentIsAnErrorAndNoTrap() throws {
    let document = Array(
      gpx("<!-- c --><trk><trkseg><trkpt lat='1' lon=\"2\"><name><![CDATA[n]]>&amp;ü</name></trkpt></trkseg></trk>")
        .utf8)
    for count in 0..<document.count {
      #expect(throws: ReadingError.self) { try points(of: .bytes(Array(document.prefix(count)))) }
    }
    #expect(try points(of: .bytes(document)).count == 1)
  }

  @Test func aDocumentThatComesByteByByteIsReadAlike() throws {
    let document = gpx("<wpt lat='1' lon='2'><name>ü&amp;<![CDATA[]]]></name></wpt>\r\n<wpt lat='3' lon='4'/>")
    let slow = ByteSource(name: "slow", size: nil) { () throws(ReadingError) -> ByteSource.Parts in
      var rest = Array(document.utf8)[...]
      return { () throws(ReadingError) -> [UInt8] in rest.popFirst().map { [$0] } ?? [] }
    }
    #expect(try points(of: slow) == points(document))
  }

  @Test func progressIsToldInBytesAndPoints() throws {
    let document = gpx("<wpt lat='1' lon='2'/><wpt lat='3' lon='4'/>")
    var reader = try GPXReader(.text(document))
    _ = try reader.next()
    #expect(reader.progress.points == 1)
    #expect(reader.progress.totalBytes == document.utf8.count)
    _ = try reader.next()
    #expect(try reader.next() == nil)
    #expect(reader.progress.fraction == 1)
  }
}
