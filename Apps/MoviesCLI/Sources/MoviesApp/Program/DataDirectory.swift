/// Where the app keeps what it must remember.
package enum DataDirectory {
  /// The directory: the option, else `$XDG_DATA_HOME/reelux-movies`, else `~/.local/share/reelux-movies`.
  ///
  /// A relative `XDG_DATA_HOME` is ignored, as its specification wants. Nothing is created.
  package static func path(option: String?, environment: [String: String]) -> String {
    if let option { return option }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/reelux-movies" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/reelux-movies" }
    return ".reelux-movies"
  }
}
