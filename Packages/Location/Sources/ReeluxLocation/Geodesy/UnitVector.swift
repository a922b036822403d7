/// A place as a direction from the centre of a sphere. Comparing many places takes a few nanoseconds each.
///
/// Lengths on the sphere differ from those on the ellipsoid by less than 0.6 %.
package struct UnitVector: Hashable, Sendable {
  package var x, y, z: Double

  package init(_ coordinate: Coordinate) {
    let latitude = Angle(degrees: coordinate.latitude)
    let longitude = Angle(degrees: coordinate.longitude)
    self.init(x: latitude.cosine * longitude.cosine, y: latitude.cosine * longitude.sine, z: latitude.sine)
  }

  private init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  private func cross(_ other: UnitVector) -> UnitVector {
    UnitVector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  private func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  /// The square of the straight distance to another place, on a sphere of radius 1.
  @inline(__always) package func squaredChord(to other: UnitVector) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The distance to another place in metres.
  package func metres(to other: UnitVector) -> Double {
    let half = min(1, squaredChord(to: other).squareRoot() / 2)
    return 2 * Ellipsoid.meanRadius * Angle.radians(half, (1 - half * half).squareRoot())
  }

  /// The distance in metres to the nearest point of the arc between two places.
  package func metres(toArc start: UnitVector, _ end: UnitVector) -> Double {
    let normal = start.cross(end)
    let length = normal.dot(normal).squareRoot()
    // Beyond an end of the arc, or if the arc has no direction, the nearest point is an end.
    guard length > 0, normal.cross(start).dot(self) >= 0, end.cross(normal).dot(self) >= 0 else {
      return min(metres(to: start), metres(to: end))
    }
    let sine = min(1, abs(normal.dot(self)) / length)
    return Ellipsoid.meanRadius * Angle.radians(sine, (1 - sine * sine).squareRoot())
  }
}
