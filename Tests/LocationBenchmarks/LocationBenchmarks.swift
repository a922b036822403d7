import Foundation
import ReeluxLocation
import ReeluxLocationSimulation

/// Writes test files and measures the time to read them. `Scripts/bench-location` compares it with other readers.
///
///     LocationBenchmarks write gpx|nmea POINTS FILE
///     LocationBenchmarks read FILE
///     LocationBenchmarks follow FILE
@main
enum LocationBenchmarks {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("write", 4): try write(arguments[1], points: Int(arguments[2]) ?? 0, to: arguments[3])
    case ("read", 2): try measure(arguments[1]) { try read(arguments[1]) }
    case ("follow", 2): try measure(arguments[1]) { try follow(arguments[1]) }
    default:
      print("usage: LocationBenchmarks write gpx|nmea POINTS FILE | read FILE | follow FILE")
      exit(64)
    }
  }

  /// Reads every point once, with its name and extensions.
  private static func read(_ path: String) throws -> Int {
    var count = 0
    if path.hasSuffix(".nmea") {
      var reader = try NMEAReader(.file(path))
      while try reader.next() != nil { count += 1 }
    } else {
      var reader = try GPXReader(.file(path))
      while try reader.next() != nil { count += 1 }
    }
    return count
  }

  /// Reads the whole file once, and then all its points again, with names and extensions.
  private static func follow(_ path: String) throws -> Int {
    var points = try Track.file(path).open()
    var count = 0
    while try points.next() != nil { count += 1 }
    return count
  }

  private static func measure(_ path: String, _ work: () throws -> Int) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let points = try work()
    let elapsed = clock.now - start
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    let rate = Double(bytes) / 1e6 / seconds
    print(
      String(
        format: "%d points, %.1f MB, %.3f s, %.0f MB/s, %.3f µs a point, %d MB at most", points, Double(bytes) / 1e6,
        seconds, rate, seconds * 1e6 / Double(max(1, points)), peakBytes() / 1_000_000))
  }

  private static func write(_ format: String, points count: Int, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var text = format == "gpx" ? gpxStart : ""
    for index in 0..<count {
      text += format == "gpx" ? gpxPoint(index) : nmeaSentences(index)
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    if format == "gpx" { text += "    </trkseg>\n  </trk>\n</gpx>\n" }
    try file.write(contentsOf: Data(text.utf8))
  }

  private static let gpxStart = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
      <trk>
        <name>A long way</name>
        <trkseg>

    """

  /// About 210 bytes, in the form of a watch's recording.
  private static func gpxPoint(_ index: Int) -> String {
    let (latitude, longitude) = place(index)
    let time = Timestamp(secondsSince1970: 1_714_550_400 + Double(index))
    let beats = 100 + index % 80
    return """
            <trkpt lat="\(latitude)" lon="\(longitude)">
              <ele>\(30 + Double(index % 5000) / 10)</ele>
              <time>\(time)</time>
              <extensions>
                <gpxtpx:hr>\(beats)</gpxtpx:hr>
              </extensions>
            </trkpt>

      """
  }

  /// A GGA and an RMC sentence.
  private static func nmeaSentences(_ index: Int) -> String {
    let (latitude, longitude) = place(index)
    let seconds = index % 86_400
    let time = String(format: "%02d%02d%02d.00", seconds / 3600, seconds / 60 % 60, seconds % 60)
    let date = String(format: "%02d0524", 1 + index / 86_400)
    let position = String(
      format: "%02d%08.5f,N,%03d%08.5f,E", Int(latitude), (latitude - latitude.rounded(.down)) * 60, Int(longitude),
      (longitude - longitude.rounded(.down)) * 60)
    return [
      "GPGGA,\(time),\(position),1,08,0.9,\(30 + index % 500).4,M,46.9,M,,",
      "GPRMC,\(time),A,\(position),2.7,84.4,\(date),,,A",
    ].map { sentence in
      String(format: "$%@*%02X\r\n", sentence, Int(sentence.utf8.reduce(0, ^)))
    }.joined()
  }

  private static func place(_ index: Int) -> (Double, Double) {
    (52 + Double(index % 70_001) / 100_000, 13 + Double(index % 90_001) / 100_000)
  }

  private static func peakBytes() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
      return usage.ru_maxrss * 1024
    #endif
  }
}
