/// Messages for people, on standard error.
package enum MessageText {
  /// `error: no movie 'x'`
  package static func error(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("error:", .bad) + " " + TextStyle.harmless(message) + "\n"
  }

  /// `note: 3 of 57 movies`
  package static func note(_ message: String, style: TextStyle = TextStyle()) -> String {
    style.emphasized("note:", .faint) + " " + TextStyle.harmless(message) + "\n"
  }

  /// The message of a usage error, and where more is explained.
  package static func usage(_ error: UsageError, program: String, style: TextStyle = TextStyle()) -> String {
    let command = error.command.isEmpty ? "" : " \(error.command)"
    return self.error(error.message, style: style) + "See '\(program)\(command) --help'.\n"
  }

  /// `no movie 'metroplis' in the built-in catalogue. Did you mean 'metropolis-1927'?`
  package static func unknownMovie(_ id: Movie.ID, in catalog: Catalog) -> String {
    let suggestion = Suggestion.movie(for: id, in: catalog.movies).map { " Did you mean '\($0)'?" }
    return "no movie '\(id)'." + (suggestion ?? " 'search' finds movies by their titles.")
  }
}
