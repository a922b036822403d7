import Foundation
import ReeluxLocation
import Testing

@testable import ReeluxLocationSimulation

/// GPX documents that people, stylesheets and scripts produce.
@Suite(.timeLimit(.minutes(15))) struct UnusualGPXTests {
  private func points(_ document: String, mode: ReadingMode = .lenient) throws -> [TrackPoint] {
    var opened = try track(document, mode: mode).open()
    var points: [TrackPoint] = []
    while let point = try opened.next() { points.append(point) }
    return points
  }

  private func track(_ document: String, mode: ReadingMode = .lenient) throws -> Track {
    try .reading(.text(document, name: "walk.gpx"), mode: mode)
  }

  private func gpx(_ content: String) -> String {
    "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1'>\(content)</gpx>"
  }

  private func entries(_ document: String) throws -> [String]? {
    try track(document).contents?.skipped.entries.map(\.description)
  }

  @Test func anAccuracyInMetresCountsMoreThanADilution() throws {
    let metres = "<extensions><hAcc>3.1</hAcc><vAcc>-1</vAcc></extensions>"
    let dilutions = "<hdop>2</hdop><vdop>3</vdop>"
    let contents = [dilutions, dilutions + metres, metres + dilutions]
    let points = try points(gpx(contents.map { "<wpt lat='1' lon='2'>\($0)</wpt>" }.joined()))
    #expect(points.map(\.horizontalAccuracy) == [10, 3.1, 3.1])
    #expect(points.map(\.verticalAccuracy) == [15, 15, 15])
  }

  // MARK: Names

  /// 250 nested elements that bind 250 prefixes each, and then elements without a prefix.
  @Test func theNumberOfOpenNamespacesDoesNotMatter() throws {
    let bindings = (0..<250).map { " xmlns:p\($0)='u\($0)'" }.joined()
    let nested = String(repeating: "<a\(bindings)>", count: 250)
    let ends = String(repeating: "</a>", count: 250)
    func time(_ count: Int) throws -> Int {
      let document = gpx("\(nested)\(String(repeating: "<b/>", count: count))\(ends)<wpt lat='1' lon='2'/>")
      let start = Self.threadTime
      #expect(try points(document).count == 1)
      return Self.threadTime - start
    }
    let few = try time(10)
    let many = try time(20_000)
    #expect(many < few * 10, "\(few) and \(many) ns")
  }

  /// The processor time of this thread, in nanoseconds. It does not depend on other work on the machine.
  private static var threadTime: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  // MARK: Times

  @Test(arguments: ["2024-05-01T08:00Z", "2024-05-01 10:00+02", "2024-05-01T08:00"])
  func aTimeMayHaveNoSeconds(time: String) throws {
    let found = try points(gpx("<wpt lat='1' lon='2'><time>\(time)</time></wpt>"), mode: .strict)
    #expect(found.first?.timestamp?.description == "2024-05-01T08:00:00Z")
    #expect(Timestamp(iso8601: "2024-05-01T08:00.5Z") == nil)
    #expect(Timestamp(iso8601: "2024-05-01T08:00:Z") == nil)
  }

  @Test func aTimeOfAnotherFormIsRefusedWithTheAcceptedForm() throws {
    #expect(
      try entries(gpx("<wpt lat='1' lon='2'><time>20240501T080000Z</time></wpt>")) == [
        "in line 1: the time '20240501T080000Z' is not a valid time of the form 2024-05-01T08:00:00Z"
      ])
  }

  // MARK: Places of elements

  @Test func aDocumentHasFewDifferentNamespaces() throws {
    func document(_ namespace: (Int) -> String) -> String {
      gpx((0..<300).map { "<wpt lat='1' lon='2' xmlns:x='\(namespace($0))'/>" }.joined())
    }
    #expect(try points(document { _ in "urn:x" }).count == 300)
    #expect(try points(document { "urn:\($0 % 200)" }).count == 300)
    for mode in [ReadingMode.lenient, .strict] {
      let error = try #require(throws: ReadingError.self) { try points(document { "urn:\($0)" }, mode: mode) }
      #expect(error.description == "walk.gpx:1: there are more than 256 different namespaces")
    }
  }

  @Test func aTrackWithoutSegmentsIsRead() throws {
    let document = gpx(
      """
      <trk><trkpt lat='1' lon='2'/><trkpt lat='2' lon='2'/></trk>
      <trk><trkpt lat='3' lon='2'/><trkseg><trkpt lat='4' lon='2'/></trkseg><trkpt lat='5' lon='2'/></trk>
      """)
    let found = try points(document)
    #expect(found.map(\.coordinate.latitude) == [1, 2, 3, 4, 5])
    #expect(found.map(\.part) == [0, 0, 1, 2, 3])
    #expect(found.map(\.group) == [0, 0, 1, 1, 1])
    #expect(try track(document).contents?.parts == 4)
    let error = try #require(throws: ReadingError.self) { try points(document, mode: .strict) }
    #expect(error.description == "walk.gpx:1: <trkpt> is in the wrong element")
  }

  @Test(arguments: [
    "<gpx xmlns='http://www.topografix.com/GPX/1/1'><trk xmlns=''>%</trk></gpx>",
    "<gpx><trk xmlns='http://www.topografix.com/GPX/1/1'>%</trk></gpx>",
    "<gpx xmlns='http://www.topografix.com/GPX/1/1'><trk xmlns='http://www.topografix.com/GPX/1/0'>%</trk></gpx>",
    "<gpx xmlns='http://www.topografix.com/GPX/1/1'><trk xmlns='https://topografix.com/GPX/1/1/'>%</trk></gpx>",
  ])
  func elementsOfTheOtherNamespacesOfGPXAreReadExceptInStrictMode(document: String) throws {
    let body = "<name>A</name><trkseg><trkpt lat='48.1' lon='11.5'><ele>3</ele></trkpt></trkseg>"
    let text = document.replacing("%", with: body)
    #expect(try points(text).map(\.altitude) == [3])
    #expect(try track(text).contents?.followed == "track 1 'A'")
    #expect(try points(text, mode: .strict).isEmpty)
  }

  @Test(arguments: [
    "<trkpt lat='1' lon='2'/>", "<trkseg><trkpt lat='1' lon='2'/></trkseg>", "<rtept lat='1' lon='2'/>",
    "<rte><trkpt lat='1' lon='2'/></rte>", "<trk><trkseg><wpt lat='1' lon='2'/></trkseg></trk>",
  ])
  func aPointInTheWrongPlaceIsSkippedAndCounted(content: String) throws {
    let found = try entries(gpx("<wpt lat='1' lon='2'/>" + content + content))
    #expect(found?.count == 1)
    #expect(found?.first?.hasPrefix("2 times, first in line 1: <") == true)
    #expect(found?.first?.hasSuffix("> is in the wrong element") == true)
    #expect(throws: ReadingError.self) { try points(gpx(content), mode: .strict) }
  }

  // MARK: Damaged points

  @Test func aPointWithTwoDamagedValuesCountsOnce() throws {
    let damaged = "<trkpt lat='48,1' lon='11,5'/>"
    #expect(
      try entries(gpx("<trk><trkseg>\(damaged)\(damaged)<trkpt lat='1' lon='2'/></trkseg></trk>")) == [
        "2 times, first in line 1: latitude '48,1' is not a number"
      ])
  }

  @Test(arguments: ["%", "<extensions>%</extensions>"])
  func aNegativeValueOfAPhoneIsUnknown(element: String) throws {
    let values = "<speed>-1</speed><course>-1.0</course><hdop>-1</hdop><vdop>-1</vdop><sat>-1</sat>"
    let document = gpx("<wpt lat='1' lon='2'>\(element.replacing("%", with: values))</wpt>")
    let point = try #require(points(document, mode: .strict).first)
    #expect(point.speed == nil)
    #expect(point.course == nil)
    #expect(point.horizontalAccuracy == nil)
    #expect(point.verticalAccuracy == nil)
    #expect(point.satellites == nil)
  }

  @Test func aDocumentWhosePointsAreAllDamagedIsRefused() throws {
    let damaged = "<trkpt lat='48,1' lon='11,5'/>"
    let error = try #require(throws: ReadingError.self) {
      try points("\n" + gpx("<trk><trkseg>\n\(damaged)\(damaged)</trkseg></trk>"))
    }
    #expect(
      error.description == "walk.gpx:3: all 2 points are damaged; the first one: latitude '48,1' is not a number")
    #expect(error.kind == .malformed)
    let single = try #require(throws: ReadingError.self) { try points(gpx("<wpt lat='95' lon='1'/>")) }
    #expect(single.reason == "the only point is damaged: latitude 95.0 is not between -90 and 90")
    #expect(try points(gpx("")).isEmpty)
  }

  @Test(arguments: [
    (String(repeating: "n", count: 1_025), "a name has more than 1,024 bytes"),
    ((0...10_000).map { "n\($0)/><n" }.joined(), "the document has more than 10000 different names"),
    ("n " + (0...256).map { "a\($0)='1'" }.joined(separator: " "), "the tag <n> has more than 256 attributes"),
  ])
  func aLimitThatADocumentExceedsIsNamed(element: String, reason: String) throws {
    let error = try #require(throws: ReadingError.self) { try points(gpx("<\(element)/>")) }
    #expect(error.reason.contains(reason))
  }

  @Test(arguments: [
    ("<course>400</course>", "the course 400.0 is not between 0 and 360"),
    ("<course>-5</course>", "the course -5.0 is not between 0 and 360"),
    ("<extensions><course>370</course></extensions>", "the course 370.0 is not between 0 and 360"),
    ("<sat>3.5</sat>", "3.5 in <sat> is not a number of satellites"),
  ])
  func aValueThatAPointCannotHaveIsCounted(element: String, reason: String) throws {
    let source = ByteSource.text(gpx("<trk><trkseg><trkpt lat='1' lon='2'>\(element)</trkpt></trkseg></trk>"))
    var reader = try GPXReader(source, mode: .lenient)
    #expect(try reader.next()?.satellites == nil)
    #expect(reader.skipped.entries.map(\.reason) == [reason])
    var strict = try GPXReader(source, mode: .strict)
    #expect(throws: ReadingError.self) { try strict.next() }
  }

  @Test(arguments: ["<course>360</course>", "<course>-1</course>", "<sat>-1</sat>", "<sat>0</sat>"])
  func aValueThatIsUnusualIsNotCounted(element: String) throws {
    let source = ByteSource.text(gpx("<trk><trkseg><trkpt lat='1' lon='2'>\(element)</trkpt></trkseg></trk>"))
    var strict = try GPXReader(source, mode: .strict)
    #expect(try strict.next() != nil)
    #expect(strict.skipped.isEmpty)
  }

  // MARK: Groups

  @Test func anyNumberOfTracksIsCountedAndCanBeChosen() throws {
    let tracks = (1...12_000).map { "<trk><name>T\($0)</name><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>" }
    let source = ByteSource.text(gpx(tracks.joined()))
    let contents = try #require(Track.gpx(source).contents)
    #expect(contents.followed == "12000 tracks")
    #expect(contents.points == 12_000)
    #expect(try Track.gpx(source, following: .named("11000")).contents?.followed == "track 11000 'T11000'")
    #expect(try Track.gpx(source, following: .named("T12000")).contents?.points == 1)
    let empty = String(repeating: "<trk/>", count: 10_001)
    let last = try Track.gpx(.text(gpx(empty + "<trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk>")))
    #expect(last.contents?.followed == "track 10002")
    #expect(last.contents?.points == 1)
  }

  @Test func waypointsAfterTracksAreOneGroup() throws {
    let contents = try track(
      gpx("<wpt lat='1' lon='2'/><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk><wpt lat='1' lon='2'/>")
    ).contents
    #expect(contents?.groups.map(\.points) == [2, 1])
  }

  @Test func whiteSpaceInNamesDoesNotMatter() throws {
    let source = ByteSource.text(
      gpx(
        "<trk><name>\n    Evening\r\n\t run </name><trkseg><trkpt lat='1' lon='2'/></trkseg></trk><trk><name> </name></trk>"
      ))
    for text in ["Evening run", " Evening  run"] {
      #expect(try Track.gpx(source, following: .named(text)).contents?.followed == "track 1 'Evening run'")
    }
    #expect(try Track.gpx(source).contents?.groups.map(\.name) == ["Evening run", nil])
    #expect(try points(gpx("<wpt lat='1' lon='2'><name> a  b\n</name></wpt>")).first?.name == "a b")
  }

  // MARK: Documents

  @Test func everythingAfterTheEndOfADocumentIsIgnoredAndTheEntrySaysSo() throws {
    let document = gpx("<wpt lat='1' lon='2'/>")
    #expect(
      try entries("\(document)\n\(document)\n\(document)") == [
        "in line 2: another document begins here; it and everything after it is ignored. Follow the files one by one"
      ])
    #expect(
      try entries("\(document)\nx") == [
        "in line 2: 'x' after the end of the document; it and everything after it is ignored"
      ])
  }

  @Test(arguments: [
    "<!-- it's ok -->", "<!-- ]> -->", "<?x it's ]> ?>", "<!ENTITY a \"<!-- \">", "<!-- \" --><!ENTITY a ']>'>",
  ])
  func commentsAndInstructionsInADocumentTypeHaveNoQuotes(content: String) throws {
    let document = "<!DOCTYPE gpx [\(content)]>" + gpx("<wpt lat='1' lon='2'/>")
    #expect(try points(document, mode: .strict).count == 1)
    let slow = ByteSource(name: "slow", size: nil) { () throws(ReadingError) -> ByteSource.Parts in
      var rest = Array(document.utf8)[...]
      return { () throws(ReadingError) -> [UInt8] in rest.popFirst().map { [$0] } ?? [] }
    }
    #expect(try Track.gpx(slow).contents?.points == 1)
  }

  @Test func aBinaryFileIsNamedAsSuch() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]
    let fit: [UInt8] = [0x0E, 0x20, 0x8B, 0x08, 0x3C, 0x3D, 0, 0, 0x2E, 0x46, 0x49, 0x54]
    for bytes in [png, fit] {
      let error = try #require(throws: ReadingError.self) { try Track.reading(.bytes(bytes, name: "walk.gpx")) }
      #expect(error.description == "walk.gpx: the file is binary and not a GPX document, which is text")
    }
  }

  @Test func aDocumentThatIsCutOffIsReadWithTheEndThatTheErrorNames() throws {
    let document = gpx(
      "<trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele><extensions><hr>140</hr></extensions></trkpt></trkseg></trk>")
    for count in 70..<document.count {
      let cut = String(document.prefix(count))
      let error = try #require(throws: ReadingError.self) { try points(cut) }
      #expect(error.reason.contains("; it is cut off. To read what is there, "))
      let end = try #require(error.reason.split(separator: " ").last)
      // An unfinished end begins with the last '<'.
      let isWhole = error.reason.hasSuffix("append \(end)")
      let start = isWhole ? cut : String(cut[..<(try #require(cut.lastIndex(of: "<")))])
      #expect(throws: Never.self) { try points(start + end) }
    }
    let error = try #require(throws: ReadingError.self) {
      try points(gpx("<trk>\n<trkseg><trkpt lat='1'").dropLast(6).description)
    }
    #expect(
      error.description == """
        walk.gpx:2: the file ends in the tag <trkpt>; it is cut off. To read what is there, replace its unfinished end \
        by </trkseg></trk></gpx>
        """)
  }

  @Test(arguments: ["<!-- the e", "<?play", "<!", "<"])
  func aDocumentThatIsCutOffAfterItsEndIsReadWithoutTheEnd(end: String) throws {
    let document = gpx("<wpt lat='1' lon='2'/>")
    let error = try #require(throws: ReadingError.self) { try points(document + end) }
    #expect(error.reason.hasSuffix("; it is cut off. To read what is there, remove its unfinished end"))
    #expect(try points(document).count == 1)
    // Before the root element, there is nothing to read.
    let other = try #require(throws: ReadingError.self) { try points("<!-- a wa") }
    #expect(other.reason.hasSuffix("; it is cut off"))
  }

  @Test func whatIsReadNeverthelessIsNotCalledSkipped() throws {
    let contents = try track(
      """
      <gpx xmlns='https://www.topografix.com/GPX/1/1'><wpt lat='1' lon='2'><name>a & b</name><x:y/><ele>high</ele></wpt>
      <wpt lat='1'/></gpx>
      """
    ).contents
    #expect(contents?.skipped.entries.map(\.isSkipped) == [false, false, false, true, true])
  }
}
