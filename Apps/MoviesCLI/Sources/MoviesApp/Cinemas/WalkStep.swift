package import ReeluxLocation

/// A fix of a walk, and what it means for someone who looks for a cinema.
package struct WalkStep: Codable, Hashable, Sendable {
  /// The number of the fix, counted from one.
  package let number: Int

  /// The fix.
  package let fix: LocationFix

  /// Metres walked up to this fix.
  package let distance: Double

  /// The cinema that is nearest to it.
  package let nearest: CinemaDistance?
}
