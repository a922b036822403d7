extension Effect {
  /// Asynchronous work that may send any number of actions.
  ///
  /// It starts after the current action's observers, in a task beside the pipeline.
  /// Actions carry the place where the work sent them.
  @inlinable
  public static func run(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async -> Void
  ) -> Effect {
    Effect(.task(EffectTask(source: ActionSource(file: file, function: function, line: line), body: work)))
  }

  /// Asynchronous work that returns one action, or `nil` for none.
  ///
  /// The source of the action is the place of this call.
  @inlinable
  public static func task(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async -> Action?
  ) -> Effect {
    Effect(.task(EffectTask(source: ActionSource(file: file, function: function, line: line), answer: work)))
  }

  /// Asynchronous work that may fail; `failure` maps the error to an action, or to none.
  ///
  /// A `CancellationError` is not passed to `failure`.
  @inlinable
  public static func task(
    catch failure: @escaping @Sendable (any Error) -> Action?,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Action?
  ) -> Effect {
    let source = ActionSource(file: file, function: function, line: line)
    return Effect(
      .task(
        EffectTask(
          source: source,
          answer: {
            do {
              return try await work()
            } catch is CancellationError {
              return nil
            } catch {
              return failure(error)
            }
          })))
  }

  /// Asynchronous work that sends nothing.
  @inlinable
  public static func fireAndForget(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async -> Void
  ) -> Effect {
    run(file: file, function: function, line: line) { _ in await work() }
  }

  /// The elements of an asynchronous sequence, each mapped to an action or to none.
  ///
  /// The effect ends with the sequence; cancelling it ends the iteration. An
  /// error that the sequence throws ends it too, after `failure` mapped it.
  @inlinable
  public static func sequence<Elements: AsyncSequence & Sendable>(
    _ elements: Elements,
    catch failure: @escaping @Sendable (any Error) -> Action? = { _ in nil },
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ transform: @escaping @Sendable (Elements.Element) -> Action?
  ) -> Effect {
    let source = ActionSource(file: file, function: function, line: line)
    return Effect(
      .task(
        EffectTask(source: source) { send in
          do {
            for try await element in elements {
              if let action = transform(element) { send.dispatch(action, from: source) }
            }
          } catch is CancellationError {
          } catch {
            if let action = failure(error) { send.dispatch(action, from: source) }
          }
        }))
  }
}

// The compiler's message for a throwing closure.
extension Effect {
  /// Unavailable: map errors to actions by ``task(catch:file:function:line:_:)``.
  @available(
    *, unavailable,
    message: "The work of an effect maps its errors: write .task(catch: { error in .failed }) { try await … }."
  )
  public static func task(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Action?
  ) -> Effect { .none }

  /// Unavailable: handle errors inside the work of the effect.
  @available(
    *, unavailable,
    message:
      "The work of .run does not throw: catch inside it and send an action, or write .task(catch:) for one answer."
  )
  public static func run(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async throws -> Void
  ) -> Effect { .none }

  /// Unavailable: handle errors inside the work of the effect.
  @available(
    *, unavailable,
    message: "The work of .fireAndForget does not throw: catch inside it, or write .task(catch:) to send the failure."
  )
  public static func fireAndForget(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Void
  ) -> Effect { .none }
}
