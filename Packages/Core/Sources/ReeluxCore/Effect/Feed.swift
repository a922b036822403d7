/// Asynchronous work that runs as long as the state requires it.
///
/// A middleware lists the feeds for a state in ``FeedingMiddleware/feeds(for:)``. The store opens a feed when its key
/// appears in the list, and closes it when the key disappears. Equal keys open one feed. If the work of a feed ends
/// early, the feed is opened again only after its key has disappeared.
public struct Feed<Action: Sendable>: Sendable {
  @usableFromInline typealias Work =
    @Sendable () -> (mailbox: FeedMailbox?, body: @Sendable (Send<Action>) async -> Void)

  @usableFromInline let key: EffectID
  @usableFromInline let source: ActionSource
  /// Creates the mailbox, if the feed accepts messages, and the work for one opening.
  @usableFromInline let work: Work

  @inlinable init(key: EffectID, source: ActionSource, work: @escaping Work) {
    self.key = key
    self.source = source
    self.work = work
  }

  /// Creates a feed with a key and its work. The work should return soon after its task is cancelled.
  public init(
    key: some Hashable & Sendable, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async -> Void
  ) {
    self.init(
      key: EffectID(key), source: ActionSource(file: file, function: function, line: line), work: { (nil, work) })
  }

  /// Creates a feed that also accepts messages, such as a socket.
  ///
  /// A middleware writes messages with ``Effect/write(_:to:otherwise:info:file:function:line:)``. The messages wait in
  /// order and without a limit until the work reads them. When the feed closes, the stream that the work reads ends,
  /// and the messages that still wait are dropped. A debug build stops the program at a message of another type.
  /// <doc:Feeds> has an example.
  ///
  /// - Parameters:
  ///   - key: The feed's key, which is also the address for writing.
  ///   - messages: The type of the messages.
  ///   - work: Reads the messages and sends actions.
  public init<Message: Sendable>(
    key: some Hashable & Sendable, messages: Message.Type, file: StaticString = #fileID,
    function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (AsyncStream<Message>, Send<Action>) async -> Void
  ) {
    let id = EffectID(key)
    let source = ActionSource(file: file, function: function, line: line)
    self.init(
      key: id, source: source,
      work: {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
        let mailbox = FeedMailbox { message in
          guard let message = message as? Message else {
            assertionFailure(
              "A message of type \(type(of: message)) was written to the feed \(id), which was created at \(source) "
                + "for messages of type \(Message.self).")
            return false
          }
          if case .enqueued = continuation.yield(message) { return true } else { return false }
        }
        let messages = mailbox.untilClosed(stream)
        return (
          mailbox,
          body: { send in
            await work(messages, send)
            // Later messages are refused.
            continuation.finish()
          }
        )
      })
  }

  /// Unavailable: handle errors inside the work of the feed.
  @available(
    *, unavailable,
    message: "The work of a feed does not throw: catch inside it and send an action that says what failed."
  )
  public init(key: some Hashable & Sendable, _ work: @escaping @Sendable (Send<Action>) async throws -> Void) {
    self.init(key: key) { _ in }
  }

  /// Returns the same feed with mapped actions.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Feed<Other> {
    let work = self.work
    return Feed<Other>(
      key: key, source: source,
      work: {
        let (mailbox, body) = work()
        return (mailbox, { send in await body(send.contramap(transform)) })
      })
  }

  @usableFromInline func scoped(to element: EffectID) -> Feed {
    Feed(key: key.scoped(to: [element]), source: source, work: work)
  }
}

/// The mailbox of an open feed.
@usableFromInline final class FeedMailbox: Sendable {
  /// Writes a message. Returns false if the feed is closed or does not accept messages of this type.
  let write: @Sendable (any Sendable) -> Bool
  private let readers = Locked(0)

  init(write: @escaping @Sendable (any Sendable) -> Bool) {
    self.write = write
  }

  /// Whether a task waits for the next message.
  var isAwaited: Bool { readers.withLock { $0 > 0 } }

  /// The same messages until the feed closes. The buffer of a stream would outlast the cancellation of its task. A task
  /// is counted while it waits for a message.
  func untilClosed<Message: Sendable>(_ messages: AsyncStream<Message>) -> AsyncStream<Message> {
    AsyncStream { [self] in
      readers.withLock { $0 += 1 }
      defer { readers.withLock { $0 -= 1 } }
      return await messages.first { _ in true }
    }
  }
}

extension Effect {
  /// Returns an effect that writes a message to an open feed of this middleware.
  ///
  /// The message is written after the observers of this action, in order among the action's effects. The feed may have
  /// been opened by this action.
  ///
  /// - Parameters:
  ///   - message: A value of a type that the feed accepts.
  ///   - key: The feed's key.
  ///   - refused: An action that is sent if no open feed with this key accepts the message. Default: none.
  public static func write(
    _ message: some Sendable, to key: some Hashable & Sendable, otherwise refused: Action? = nil, info: String? = nil,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Effect {
    let (id, source) = (EffectID(key), ActionSource(info: info, file: file, function: function, line: line))
    return Effect(
      .afterReducer { send, context in
        if context.hasEnded { return }
        let feed = context.innermost.middleware.openFeeds[context.key(id).id]
        if feed?.mailbox?.write(message) == true { return }
        if let refused { send.dispatch(refused, from: source) }
      })
  }
}
