import ReeluxCore
import ReeluxFavorites
import ReeluxLocation

extension Session {
  /// `demo`: a tour of the loop with real actions on a real store. What is simulated says so.
  func demo() async throws(CommandFailure) {
    console.write(
      console.style.emphasized("Reelux: movies, favourites and a walk, on one store.", .strong)
        + "\n"
        + Prose.wrapped(
          "The server and the walk are simulated, the cinemas are fictional. Nothing is written.",
          to: console.style.width ?? 100) + "\n", flush: true)
    try await tellCatalog()
    await tellOptimism()
    await tellRefusal()
    await tellWalk()
    narrator.tell(
      "That was the loop", "Every line above was an action on its way through one queue, to reducers, to effects, back."
    )
    console.write(
      """

      Next:
        MoviesCLI list --genre horror
        MoviesCLI favorite add metropolis-1927 --log pretty
        MoviesCLI track --log compact
        MoviesCLI demo --record tour.jsonl
        MoviesCLI report tour.jsonl --output tour.html
        MoviesCLI --help

      """)
  }

  private func tellCatalog() async throws(CommandFailure) {
    narrator.tell(
      "1  A catalogue", "An action asks for it. A middleware reads it, off the queue, and answers with an action.")
    await store.dispatch(.movies(.load(file: options.catalog))).finish()
    if let failure = store.state.movies.failure { throw CommandFailure(failure) }
    let catalog = store.state.movies.catalog
    narrator.show("\(Prose.count(catalog.movies.count, "movie")), \(catalog.name)")
    await pause()

    store.dispatch(.movies(.look(.search(["caligari"], limit: 3))))
    narrator.show("search 'caligari': " + store.state.visibleMovies.map(\.title).joined(separator: ", "))
    await pause()
  }

  private func tellOptimism() async {
    let id = demoMovie("metropolis-1927")
    narrator.tell(
      "2  A favourite, seen before the server knows",
      "The reducer shows the wish; the effect asks the simulated server.")
    await store.dispatch(.favorites(.load)).finish()
    let wish = store.dispatch(.favorites(.add(id)))
    narrator.show(describe(id))
    await wish.finish()
    narrator.show(describe(id))
    await pause()
  }

  private func tellRefusal() async {
    let id = demoMovie(Narrator.refused)
    narrator.tell(
      "3  A favourite that the server refuses",
      "It is shown at once, too, and rolled back to what the server confirmed.")
    let wish = store.dispatch(.favorites(.add(id)))
    narrator.show(describe(id))
    await wish.finish()
    narrator.show(describe(id))
    await pause()
  }

  private func tellWalk() async {
    narrator.tell(
      "4  A walk to the cinema", "A feed is open exactly while the state wants it. This one replays \(walk.label).")
    let nearest = store.select(\.cinemas.steps.last?.nearest?.cinema.name).subscribe { [store, narrator] name in
      guard let name, let step = store.state.cinemas.steps.last else { return }
      narrator.show("\(WalkText.metres(step.distance)) walked, nearest cinema: \(name) (fictional)")
    }
    store.dispatch(.location(.startPosition()))
    await wait { $0.location.position.phase == .stopped }
    nearest.cancel()
    let position = store.state.location.position
    narrator.show(
      "\(Prose.count(position.fixes, "fix", "fixes")), \(WalkText.metres(position.distance)); the feed is closed")
    await pause()
  }

  /// The movie of the tour, or the catalogue's first when it is another catalogue.
  private func demoMovie(_ id: Movie.ID) -> Movie.ID {
    let catalog = store.state.movies.catalog
    return catalog[id]?.id ?? catalog.movies.first?.id ?? id
  }

  private func describe(_ id: Movie.ID) -> String {
    let favorites = store.state.favorites
    let title = store.state.movies.catalog[id]?.title ?? id
    if let failure = favorites.failure(of: id) { return "\(title) is no favourite: \(failure.reason)" }
    guard favorites.contains(id) else { return "\(title) is no favourite" }
    return "\(MovieText.mark) \(title), " + (favorites.isPending(id) ? "not confirmed yet" : "confirmed")
  }

  /// Time to read, for a person.
  private func pause() async {
    if console.isInteractive { try? await Task.sleep(for: .milliseconds(900)) }
  }
}
