/// What the position service of a feed says.
public enum PositionUpdate: Hashable, Codable, Sendable {
  /// A batch of fixes, oldest first.
  case fixes([LocationFix])
  /// The signal is lost; nothing is known of the way to the next fix.
  case interrupted
}
