/// Asynchronous work that runs exactly while the state wants it.
///
/// A middleware lists the feeds that a state wants in
/// ``FeedingMiddleware/feeds(for:)``. The store opens a feed when its key
/// appears in the list, leaves it alone while the key stays, and closes it
/// once when the key goes. Equal keys open once. A feed whose work ended by
/// itself is not opened again before its key was gone.
public struct Feed<Action: Sendable>: Sendable {
  @usableFromInline var key: EffectID
  @usableFromInline let source: ActionSource
  @usableFromInline let body: @Sendable (Send<Action>) async -> Void

  @inlinable
  init(key: EffectID, source: ActionSource, body: @escaping @Sendable (Send<Action>) async -> Void) {
    self.key = key
    self.source = source
    self.body = body
  }

  /// A feed with a key and its work, which should return soon after its task is cancelled.
  @inlinable
  public init(
    key: some Hashable & Sendable, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async -> Void
  ) {
    self.init(
      key: EffectID(key), source: ActionSource(file: file, function: function, line: line), body: work)
  }

  /// Not there: the work of a feed handles its errors.
  @available(
    *, unavailable,
    message: "The work of a feed does not throw: catch inside it and send an action that says what failed."
  )
  public init(
    key: some Hashable & Sendable, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async throws -> Void
  ) {
    self.init(key: EffectID(key), source: ActionSource(file: file, function: function, line: line)) { _ in }
  }

  /// The same feed with its actions translated.
  @inlinable
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Feed<Other> {
    let body = self.body
    return Feed<Other>(key: key, source: source) { send in await body(send.contramap(transform)) }
  }

  @inlinable
  func scoped(to element: EffectID) -> Feed {
    Feed(key: key.scoped(to: element), source: source, body: body)
  }
}
