import Foundation
import ReeluxLocation
import ReeluxLocationSimulation

/// Reads a GPX file with a million points, and measures the memory of the process.
enum MemoryCheck {
  /// The largest memory in bytes.
  static let limit = 50_000_000

  /// Returns the failure, if any.
  static func run(points count: Int) throws -> String? {
    if FuzzWorker.isSanitized {
      print("memory: not measured with the address sanitizer")
      return nil
    }
    let path = NSTemporaryDirectory() + "fuzz-\(ProcessInfo.processInfo.processIdentifier).gpx"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(points: count, to: path)
    let clock = ContinuousClock()
    let start = clock.now
    var reports = 0
    let track = try Track.file(path) { _ in reports += 1 }
    var followed = 0
    var points = try track.open()
    while try points.next() != nil { followed += 1 }
    let bytes = peakBytes()
    print(
      "memory: \(count) points read twice in \(clock.now - start), \(bytes / 1_000_000) MB, \(reports) reports of progress"
    )
    guard followed == count, track.contents?.points == count else { return "\(followed) points of \(count) were read" }
    guard reports > count / 10_000 else { return "progress was reported \(reports) times" }
    return bytes < limit ? nil : "\(bytes) bytes are more than \(limit)"
  }

  private static func write(points count: Int, to path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var text = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
    for index in 0..<count {
      let (latitude, longitude) = (Double(index % 900_000) / 10_000, Double(index % 1_700_000) / 10_000)
      let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(index))
      text += "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><ele>12.5</ele><time>\(time)</time></trkpt>\n"
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data((text + "</trkseg></trk></gpx>\n").utf8))
  }

  /// The most memory that this process had so far.
  static func peakBytes() -> Int {
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
