extension Effect {
  /// Returns an effect of asynchronous work that may send any number of actions.
  ///
  /// The work starts in a separate task, after the observers of the current action have been called. The source of an
  /// action is the place where the work sends it.
  @inlinable public static func run(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable (Send<Action>) async -> Void
  ) -> Effect {
    Effect(.task(EffectTask(source: ActionSource(file: file, function: function, line: line), .sending(work))))
  }

  /// Returns an effect of asynchronous work that returns one action, or `nil` for none.
  ///
  /// The source of the action is the place of this call.
  @inlinable public static func task(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async -> Action?
  ) -> Effect {
    Effect(.task(EffectTask(source: ActionSource(file: file, function: function, line: line), .answer(work))))
  }

  /// Returns an effect of asynchronous work that may throw. `failure` maps the error to an action or to `nil`.
  ///
  /// A `CancellationError` is not passed to `failure`.
  @inlinable public static func task(
    catch failure: @escaping @Sendable (any Error) -> Action?,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Action?
  ) -> Effect {
    task(file: file, function: function, line: line) {
      do {
        return try await work()
      } catch is CancellationError {
        return nil
      } catch {
        return failure(error)
      }
    }
  }

  /// Returns an effect of asynchronous work that sends nothing.
  @inlinable public static func fireAndForget(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ work: @escaping @Sendable () async -> Void
  ) -> Effect {
    run(file: file, function: function, line: line) { _ in await work() }
  }

  /// Returns an effect that maps each element of an asynchronous sequence to an action or to `nil`.
  ///
  /// The effect ends with the sequence, and cancelling it ends the iteration.
  @inlinable public static func sequence<Elements: AsyncSequence & Sendable>(
    _ elements: Elements,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ transform: @escaping @Sendable (Elements.Element) -> Action?
  ) -> Effect where Elements.Failure == Never {
    sequence(elements, catch: { _ in nil }, file: file, function: function, line: line, transform)
  }

  /// Returns an effect that maps each element of an asynchronous sequence that may throw to an action or to `nil`.
  ///
  /// If the sequence throws, `failure` maps the error, and the effect ends. A `CancellationError` is not passed to
  /// `failure`.
  @inlinable public static func sequence<Elements: AsyncSequence & Sendable>(
    _ elements: Elements,
    catch failure: @escaping @Sendable (any Error) -> Action?,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line,
    _ transform: @escaping @Sendable (Elements.Element) -> Action?
  ) -> Effect {
    let source = ActionSource(file: file, function: function, line: line)
    return run(file: file, function: function, line: line) { send in
      do {
        for try await element in elements {
          if let action = transform(element) { send.dispatch(action, from: source) }
        }
      } catch is CancellationError {
      } catch {
        if let action = failure(error) { send.dispatch(action, from: source) }
      }
    }
  }
}

// These overloads give a clear message for a closure or a sequence that throws.
extension Effect {
  /// Unavailable: map errors to actions by ``task(catch:file:function:line:_:)``.
  @available(
    *, unavailable,
    message: "The work of an effect maps its errors: write .task(catch: { error in .failed }) { try await … }."
  )
  public static func task(_ work: @escaping @Sendable () async throws -> Action?) -> Effect { .none }

  /// Unavailable: handle errors inside the work of the effect.
  @available(
    *, unavailable,
    message:
      "The work of .run does not throw: catch inside it and send an action, or write .task(catch:) for one answer."
  )
  public static func run(_ work: @escaping @Sendable (Send<Action>) async throws -> Void) -> Effect { .none }

  /// Unavailable: handle errors inside the work of the effect.
  @available(
    *, unavailable,
    message: "The work of .fireAndForget does not throw: catch inside it, or write .task(catch:) to send the failure."
  )
  public static func fireAndForget(_ work: @escaping @Sendable () async throws -> Void) -> Effect { .none }

  /// Unavailable: map the error of the sequence to an action by ``sequence(_:catch:file:function:line:_:)``.
  @available(
    *, unavailable,
    message: "The sequence can throw: write .sequence(elements, catch: { error in .failed }) { … }."
  )
  public static func sequence<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, _ transform: @escaping @Sendable (Elements.Element) -> Action?
  ) -> Effect { .none }
}
