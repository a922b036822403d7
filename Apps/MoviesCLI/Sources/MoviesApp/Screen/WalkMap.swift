import ReeluxLocation

/// A small map of Braille dots. It shows the walk so far, the cinemas and the position.
struct WalkMap {
  let cinemas: [Cinema]
  let trail: [Coordinate]
  let place: Coordinate?
  let nearest: String?

  /// Draws the map into a part of a grid. North is at the top.
  func draw(in grid: inout Grid, column: Int, row: Int, columns: Int, rows: Int) {
    guard columns > 4, rows > 1 else { return }
    let all = cinemas.map(\.coordinate) + trail + [place].compactMap { $0 }
    guard let north = all.map(\.latitude).max(), let south = all.map(\.latitude).min(),
      let east = all.map(\.longitude).max(), let west = all.map(\.longitude).min()
    else { return }
    // A cell has two columns of four dots. A cell is twice as high as wide, so the dots have equal distances in both
    // directions.
    let (width, height) = (columns * 2, rows * 4)
    let shrink = max(0.05, Angle(degrees: (south + north) / 2).cosine)
    let degreesEast = max((east - west) * shrink, 1e-6)
    let degreesNorth = max(north - south, 1e-6)
    let scale = min(Double(width - 1) / degreesEast, Double(height - 1) / degreesNorth)

    func dot(_ coordinate: Coordinate) -> (x: Int, y: Int) {
      let x = (coordinate.longitude - west) * shrink * scale
      let y = (north - coordinate.latitude) * scale
      return (min(width - 1, max(0, Int(x.rounded()))), min(height - 1, max(0, Int(y.rounded()))))
    }
    var dots = [UInt32](repeating: 0, count: columns * rows)
    for coordinate in trail {
      let (x, y) = dot(coordinate)
      dots[y / 4 * columns + x / 2] |= Self.bits[y % 4][x % 2]
    }
    for (index, bits) in dots.enumerated() where bits != 0 {
      if let scalar = Unicode.Scalar(0x2800 + bits) {
        grid.write(String(Character(scalar)), at: column + index % columns, row + index / columns, .faint)
      }
    }
    for cinema in cinemas {
      let (x, y) = dot(cinema.coordinate)
      let isNearest = cinema.name == nearest
      grid.write(isNearest ? "◆" : "◇", at: column + x / 2, row + y / 4, isNearest ? .good : .plain)
    }
    if let place {
      let (x, y) = dot(place)
      grid.write("●", at: column + x / 2, row + y / 4, .strong)
    }
  }

  /// The bits of a Braille cell, by row and column (Unicode 16, chapter 21.1).
  private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
}
