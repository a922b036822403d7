import ReeluxLocation

extension LocationService {
  /// The place of an answer of this service at a simulated second: services answer in the order of their declaration,
  /// regions in the order of their ids.
  func place(at seconds: Double) -> SimulationGate.Place {
    let (rank, name) =
      switch self {
      case .authorization: (0, "")
      case .position: (1, "")
      case .request: (2, "")
      case .significantChange: (3, "")
      case .heading: (4, "")
      case .visits: (5, "")
      case .region(let id): (6, id)
      }
    return SimulationGate.Place(seconds: seconds, rank: rank, name: name)
  }
}
