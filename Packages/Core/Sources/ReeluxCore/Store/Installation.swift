/// A handle of an installed feature, to remove it again.
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
  /// Its changes of the state stay. A second call does nothing.
  public func remove() {
    work()
  }
}

/// The number of an installed feature, once it is known.
///
/// `@unchecked Sendable`: only the thread that runs the pipeline uses it.
@usableFromInline
final class InstallationNumber: @unchecked Sendable {
  @usableFromInline var value: Int?
  @usableFromInline init() {}
}
