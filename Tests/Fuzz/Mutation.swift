/// Damages an input as disks, networks and people do.
enum Mutation {
  /// Applies one change to half of the inputs, and up to eight to the others: bytes overwritten, removed, inserted,
  /// doubled or swapped, or the end removed. After one change, a reader often accepts a large part of the input.
  static func mutate(_ input: [UInt8], dictionary: [String], _ random: inout FuzzRandom) -> [UInt8] {
    var bytes = input
    for _ in 0...(random.once(in: 2) ? 0 : random.below(8)) {
      guard !bytes.isEmpty else { return [UInt8(truncatingIfNeeded: random.next())] }
      let place = random.below(bytes.count)
      let end = min(bytes.count, place + 1 + random.below(12))
      switch random.below(8) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[place] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count))
      case 4: bytes.insert(contentsOf: random.pick(dictionary).utf8, at: place)
      case 5: bytes.replaceSubrange(place..<end, with: random.pick(dictionary).utf8)
      case 6: bytes.swapAt(place, random.below(bytes.count))
      default: if random.once(in: 4) { bytes.removeSubrange(place...) }
      }
    }
    return bytes
  }

  /// Numbers that are difficult for arithmetic.
  static let numbers = [
    "0", "-0", "1e308", "-1e309", "1e-400", "NaN", "inf", "90", "-90.0000001", "180", "-180", "181",
    "99999999999999999999",
    "0x10", "+5", ".", "-", "1.2.3", "١٢", "9223372036854775807", "-9223372036854775808", "",
  ]
}
