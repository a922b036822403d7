package import ReeluxCore

/// The middleware that reads catalogues, away from the pipeline.
package struct CatalogMiddleware: MiddlewareProtocol {
  /// How many bytes are read between two reports.
  static let reportLength = 8 << 20

  let source: CatalogSource

  package func handle(
    action: MoviesAction, from _: ActionSource, state _: GetState<MoviesState>
  ) -> Effect<MoviesAction> {
    guard case .load(let file) = action else { return .none }
    return .run { [source] send in
      var reported = 0
      do throws(CatalogError) {
        let catalog = try source.read(file) { bytes in
          guard bytes - reported >= Self.reportLength else { return }
          reported = bytes
          send(.reading(bytes: bytes))
        }
        send(.loaded(catalog))
      } catch {
        send(.failed(error))
      }
    }
    .cancellable(id: "catalog", cancelInFlight: true)
  }
}
