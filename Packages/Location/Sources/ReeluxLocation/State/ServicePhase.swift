/// Where a service is between wished for and running.
public enum ServicePhase: String, Hashable, Codable, Sendable {
  /// Nobody wants it, or it cannot be had. Its feed is closed.
  case stopped
  /// It starts as soon as the user allows it. Its feed is closed.
  case awaitingAuthorization
  /// Its feed is open.
  case running
}
