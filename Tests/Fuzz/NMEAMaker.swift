/// Creates valid NMEA logs.
enum NMEAMaker {
  static func log(_ random: inout FuzzRandom) -> [UInt8] {
    var lines: [String] = []
    for second in 0...random.below(6) {
      let time = "1200\(padded(second, 2))" + (random.once(in: 2) ? ".\(random.below(1000))" : "")
      let latitude = "\(padded(random.below(90), 2))\(padded(random.below(60), 2)).\(random.below(10_000))"
      let longitude = "\(padded(random.below(180), 3))\(padded(random.below(60), 2)).\(random.below(10_000))"
      let place = "\(latitude),\(random.pick(["N", "S"])),\(longitude),\(random.pick(["E", "W"]))"
      if random.below(3) > 0 { lines.append("GPGGA,\(time),\(place),1,08,0.9,545.4,M,46.9,M,,") }
      if random.below(3) > 0 {
        lines.append(
          "GNRMC,\(time),A,\(place),\(random.below(100)).5,\(random.below(360)).4,0\(1 + random.below(9))0524,,,A")
      }
      if random.once(in: 3) { lines.append("GPGSV,3,1,11,03,03,111,00") }
      if random.once(in: 3) { lines.append("GNGNS,\(time),\(place),AN,11,0.8,99.5,46.0,,") }
      if random.once(in: 3) { lines.append("GPGLL,\(place),\(time),A,A") }
      if random.once(in: 3) { lines.append("GPVTG,84.4,T,81.3,M,10.0,N,18.5,K,A") }
      if random.once(in: 3) { lines.append("GPZDA,\(time),0\(1 + random.below(9)),05,2024,00,00") }
    }
    if lines.isEmpty { lines.append("GPGSV,1,1,00") }
    return lines.flatMap { sentence in
      let checksum = String(sentence.utf8.reduce(0, ^), radix: 16, uppercase: true)
      let before = random.once(in: 6) ? "NMEA," : random.once(in: 6) ? "12:00:00.5 " : ""
      let end = random.once(in: 8) ? " " : "\r\n"
      return Array("\(before)$\(sentence)*\(checksum.count < 2 ? "0" : "")\(checksum)\(end)".utf8)
    }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
