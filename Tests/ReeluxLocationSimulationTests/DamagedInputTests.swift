import Foundation
import ReeluxCore
import ReeluxLocation
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

/// A part of `Scripts/fuzz`: damaged inputs are accepted or rejected, without any other failure.
@Suite(.conformance(81), .timeLimit(.minutes(15))) struct DamagedInputTests {
  private static let documents = [
    """
    <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gpx [<!ENTITY a "b">]>
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x"><!-- c -->
    <wpt lat="-90" lon="180"><name>&lt;<![CDATA[<a>]]>&#x1F600;ü</name></wpt>
    <trk><trkseg><trkpt lat="1.5" lon='2'><ele>3</ele><time>2024-05-01T12:00:00Z</time>
    <extensions><x:trkpt lat="999"/></extensions></trkpt></trkseg></trk></gpx>
    """,
    [
      "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GNRMC,123520,A,4807.038,S,01131.000,W,022.4,084.4,230394,003.1,W", "GPGSV,1,1,00",
    ].map(nmea).joined(separator: "\r\n"),
  ]

  @Test func anErrorHasALocalizedDescription() {
    let error = ReadingError(kind: .malformed, input: "walk.gpx", line: 12, reason: "the file ends here")
    #expect((error as any Error).localizedDescription == "walk.gpx:12: the file ends here")
  }

  @Test(arguments: 0..<2, [UInt64(1), 2, 3, 4])
  func damagedInputsAreReadOrRefusedWithLineAndReason(document: Int, seed: UInt64) {
    let original = Array(Self.documents[document].utf8)
    var chance = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let input = damaged(original, &chance)
      do throws(ReadingError) {
        let track = try document == 0 ? Track.gpx(.bytes(input)) : Track.nmea(.bytes(input))
        var points = try track.open()
        while let point = try points.next() {
          #expect(abs(point.coordinate.latitude) <= 90 && abs(point.coordinate.longitude) <= 180)
        }
      } catch {
        #expect(error.kind == .malformed)
        #expect((error.line ?? 0) >= 1)
        #expect(!error.reason.isEmpty)
      }
    }
  }

  private func damaged(_ original: [UInt8], _ chance: inout SplitMix64) -> [UInt8] {
    var bytes = original
    for _ in 0...Int(chance.next() % 6) where !bytes.isEmpty {
      let place = Int(chance.next() % UInt64(bytes.count))
      let end = min(bytes.count, place + Int(chance.next() % 10))
      switch chance.next() % 5 {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: chance.next())
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
      default: bytes.removeSubrange(max(place, bytes.count / 2)...)
      }
    }
    return bytes
  }
}
