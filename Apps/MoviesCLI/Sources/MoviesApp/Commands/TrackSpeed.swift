/// How fast a walk is followed.
package enum TrackSpeed: Hashable, Sendable {
  /// This many times as fast as it was walked.
  case factor(Double)
  /// As fast as possible.
  case maximum
}
