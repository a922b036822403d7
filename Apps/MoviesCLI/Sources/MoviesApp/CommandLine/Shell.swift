/// The shells that completions are written for.
package enum Shell: String, CaseIterable, Hashable, Sendable {
  /// GNU Bash.
  case bash
  /// Z shell.
  case zsh
  /// Fish.
  case fish
}
