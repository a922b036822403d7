/// What the simulated user answers when asked.
public enum SimulatedPermission: Hashable, Sendable {
  /// Yes, at once.
  case granted
  /// No, at once.
  case denied
  /// The device's owner said no.
  case restricted
  /// Yes or no, after some time on the clock.
  case late(after: Duration, granted: Bool = true)
}
