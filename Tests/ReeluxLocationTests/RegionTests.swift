import ReeluxLocation
import Testing

@Suite(.timeLimit(.minutes(15))) struct RegionTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(normalizing: latitude, longitude: longitude)
  }

  private func square(_ latitude: Double, _ longitude: Double, _ half: Double) -> LocationRegion {
    LocationRegion(
      id: "s",
      polygon: [
        place(latitude - half, longitude - half), place(latitude - half, longitude + half),
        place(latitude + half, longitude + half), place(latitude + half, longitude - half),
      ])
  }

  @Test(arguments: [0.0, 13.4, 180, -179.9, 90])
  func aPolygonHoldsWhatIsWithinItsEdges(longitude: Double) {
    let region = square(50, longitude, 0.1)
    #expect(region.contains(place(50, longitude)))
    #expect(region.contains(place(50.09, longitude + 0.09)))
    #expect(!region.contains(place(50.11, longitude)))
    #expect(!region.contains(place(49.89, longitude)))
    #expect(!region.contains(place(50, longitude + 0.101)))
    #expect(!region.contains(place(50, longitude - 0.101)))
    #expect(!region.contains(place(50, longitude + 180)))
    #expect(!region.contains(place(-50, longitude)))
  }

  @Test func aPolygonWithADentLeavesTheDentOut() {
    let region = LocationRegion(
      id: "u",
      polygon: [place(0, 0), place(0, 3), place(3, 3), place(3, 2), place(1, 2), place(1, 1), place(3, 1), place(3, 0)])
    #expect(region.contains(place(2, 0.5)))
    #expect(region.contains(place(2, 2.5)))
    #expect(region.contains(place(0.5, 1.5)))
    #expect(!region.contains(place(2, 1.5)))
  }

  @Test func aPolygonRoundAPoleHoldsThePole() {
    let north = LocationRegion(id: "n", polygon: [place(80, 0), place(80, 90), place(80, 180), place(80, -90)])
    #expect(north.contains(place(90, 0)))
    #expect(north.contains(place(85, 45)))
    #expect(!north.contains(place(70, 45)))
    #expect(!north.contains(place(-89, 45)))
    let south = LocationRegion(id: "s", polygon: [place(-80, 0), place(-80, 90), place(-80, 180), place(-80, -90)])
    #expect(south.contains(place(-90, 0)))
    #expect(!south.contains(place(-70, 10)))
    #expect(!south.contains(place(89, 10)))
  }

  @Test(arguments: [0.0, 100, 180, -180])
  func aPolygonWithACornerAtAPoleHoldsWhatIsWithinItsEdges(longitude: Double) {
    for side in [1.0, -1] {
      let region = LocationRegion(
        id: "c", polygon: [place(90 * side, longitude), place(60 * side, 10), place(60 * side, 50)])
      #expect(region.contains(place(70 * side, 30)))
      #expect(!region.contains(place(55 * side, 30)))
      #expect(!region.contains(place(70 * side, 5)))
      #expect(!region.contains(place(70 * side, 60)))
      #expect(!region.contains(place(70 * side, -150)))
    }
  }

  @Test func aPolygonWithAnEdgeOverAPoleHoldsWhatIsWithinItsEdges() {
    for side in [1.0, -1] {
      let region = LocationRegion(id: "e", polygon: [place(80 * side, 0), place(80 * side, 180), place(70 * side, 90)])
      #expect(region.contains(place(85 * side, 90)))
      #expect(!region.contains(place(85 * side, -90)))
      #expect(!region.contains(place(65 * side, 90)))
    }
  }

  @Test func aPlaceAlmostOnTheMeridianOfACornerIsOutsideIfItIsBesideTheEdges() {
    let region = LocationRegion(id: "t", polygon: [place(0, -0.1), place(0, 0.3), place(1, 0.2)])
    // This is the next number after 0.3.
    #expect(!region.contains(place(-10, 0.1 + 0.2)))
    #expect(!region.contains(place(-10, 0.3)))
  }

  @Test func distancesAreThoseToTheEdge() {
    let region = square(0, 0, 0.01)
    // A thousandth of a degree of longitude at the equator is 111.319 m on the ellipsoid.
    #expect(abs(region.distance(to: place(0, 0.011)) - 111.319) < 0.7)
    #expect(abs(region.distance(to: place(0, 0.009)) + 111.319) < 0.7)
    let circle = LocationRegion(id: "c", center: place(0, 0), radius: 100)
    #expect(abs(circle.distance(to: place(0, 0.001)) - 11.319_491) < 0.001)
    #expect(circle.distance(to: place(0, 0)) == -100)
  }

  @Test func twoCornersHoldNothing() {
    let line = LocationRegion(id: "l", polygon: [place(0, 0), place(1, 1)])
    #expect(!line.contains(place(0.5, 0.5)))
    #expect(!LocationRegion(id: "e", polygon: []).contains(place(0, 0)))
  }
}
