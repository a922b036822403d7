/// A feature in a running store, to be removed again.
///
/// Releasing it does not remove the feature.
public final class Installation: Sendable {
  private let work: @Sendable () -> Void

  @usableFromInline
  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  /// Removes the feature: it sees no action from the next one on, and its effects and feeds end.
  ///
  /// What it changed in the state stays. A second call does nothing.
  public func remove() {
    work()
  }
}

/// The number of an installed feature, once it is known.
///
/// `@unchecked Sendable`: used on the pipeline only.
@usableFromInline
final class InstallationNumber: @unchecked Sendable {
  @usableFromInline var value: Int?
  @usableFromInline init() {}
}
