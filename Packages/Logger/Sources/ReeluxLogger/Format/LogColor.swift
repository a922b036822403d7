internal import Foundation

/// Whether the pretty format uses colour. It never says anything by colour alone.
public enum LogColor: Hashable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set to something or `TERM` is `dumb`.
  case automatic
  /// Everywhere.
  case always
  /// Nowhere.
  case never

  func isOn(isTerminal: Bool, environment: [String: String]? = nil) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .automatic:
      guard isTerminal else { return false }
      let environment = environment ?? ProcessInfo.processInfo.environment
      return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}
