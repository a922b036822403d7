extension MoviesState {
  private enum CodingKeys: String, CodingKey {
    case phase, view, catalog
  }

  /// A catalogue as a written state has it.
  private struct CatalogSummary: Codable {
    var name: String
    var count: Int
    var fingerprint: String
  }

  /// Writes the state, but of the catalogue only its name, its size and a fingerprint: the movies themselves came with the
  /// action that loaded them, and may be a million.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(phase, forKey: .phase)
    try container.encode(view, forKey: .view)
    let summary = CatalogSummary(
      name: catalog.name, count: catalog.movies.count, fingerprint: String(catalog.fingerprint, radix: 16))
    try container.encode(summary, forKey: .catalog)
  }

  /// Reads what ``encode(to:)`` wrote; the catalogue has the right name and no movies.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    phase = try container.decode(Phase.self, forKey: .phase)
    view = try container.decode(MoviesView.self, forKey: .view)
    catalog = Catalog(name: try container.decode(CatalogSummary.self, forKey: .catalog).name, movies: [])
  }
}
