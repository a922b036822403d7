/// The genres of a catalogue.
enum GenreList {
  /// What to say about a genre that no movie has; `nil` when one has it.
  static func suggestion(for genre: String, in movies: [Movie]) -> String? {
    let wanted = FoldedText(genre)
    var genres: Set<String> = []
    for movie in movies { genres.formUnion(movie.genres) }
    if genres.contains(where: { FoldedText($0) == wanted }) { return nil }
    let closest = Suggestion.closest(to: genre, among: genres.sorted())
    return "no movie has the genre '\(genre)'." + (closest.map { " Did you mean '\($0)'?" } ?? "")
  }
}
