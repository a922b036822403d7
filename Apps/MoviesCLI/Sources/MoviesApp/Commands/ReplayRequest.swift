/// What to do with a recording.
package struct ReplayRequest: Hashable, Sendable {
  /// The recording.
  package var file: String
  /// The number of the action to stop after; `nil` for the last.
  package var to: Int?
  /// Whether every step is shown.
  package var step: Bool
  /// The numbers of actions to leave out.
  package var skip: Set<Int>
}
