/// A function that reads a middleware's state, at any time.
///
/// In `handle` it reads the state before the action's reducers. In after-reducer work and in tasks it reads the current
/// state. After the store is released, it reads the last state.
@dynamicMemberLookup
public struct GetState<State: Sendable>: Sendable {
  @usableFromInline let reader: any StateReader
  /// The place of the state in the whole that `reader` reads.
  @usableFromInline let offset: Int

  @inlinable init(reader: any StateReader, offset: Int = 0) {
    self.reader = reader
    self.offset = offset
  }

  /// Calls `body` with the state in place. `callsApp` says whether `body` calls code of the app.
  @inlinable @inline(__always) func visit<Result>(
    callsApp: Bool = true, _ body: (Lent<State>) -> Result
  ) -> Result {
    var result: Result?
    let offset = self.offset
    reader.visit(callsApp: callsApp) { result = body($0.part(at: offset)) }
    guard let result else { preconditionFailure("A state reader did not call its closure.") }
    return result
  }

  /// Creates a getter from a closure, for tests of a middleware without a store.
  @inlinable public init(_ get: @escaping @Sendable () -> State) {
    self.init(reader: ComputedState(get))
  }

  /// The current state.
  @inlinable public func callAsFunction() -> State {
    visit(callsApp: false) { $0.value }
  }

  /// Unavailable: call the getter to read the state, as in `state().count`.
  @available(*, unavailable, message: "A GetState is called: write `state().name` in place of `state.name`.")
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    self()[keyPath: path]
  }

  /// Returns a getter of a value that is computed from this state.
  @inlinable public func map<Part: Sendable>(_ transform: @escaping @Sendable (State) -> Part) -> GetState<Part> {
    // The transformation uses a copy, so it may be slow, read the store or dispatch.
    let get = self
    return GetState<Part> { transform(get()) }
  }

  /// Returns a getter of one property. It copies only this property, or the whole state if the property is computed.
  @inlinable public func map<Part: Sendable>(_ path: any KeyPath<State, Part> & Sendable) -> GetState<Part> {
    Self.part(path)(self)
  }

  /// Returns a function that creates getters of one property. The place of the property is looked up once.
  @inlinable static func part<Part: Sendable>(
    _ path: any KeyPath<State, Part> & Sendable
  ) -> @Sendable (GetState) -> GetState<Part> {
    guard let property = StoredProperty(path) else { return { whole in whole.map { $0[keyPath: path] } } }
    return { whole in GetState<Part>(reader: whole.reader, offset: whole.offset &+ property.offset) }
  }
}

/// The source of the state that a ``GetState`` reads: a store, an element of a collection, or a closure.
///
/// It is an object and not a closure, so passing a getter to a middleware retains nothing.
@usableFromInline protocol StateReader: AnyObject, Sendable {
  /// Calls `body` with the state, or with the whole that contains it. `callsApp` says whether `body` calls code of the
  /// app, such as the getter of a computed property. Such code runs outside of the section that excludes reducers.
  func visit(callsApp: Bool, _ body: (Lent<Void>) -> Void)
  /// Whether a middleware's getter may retain this reader between two actions. True if the reader has no copy of a
  /// state.
  var isLasting: Bool { get }
}

extension StateReader {
  @usableFromInline var isLasting: Bool { false }
}

/// A state that a closure returns.
@usableFromInline final class ComputedState<State: Sendable>: StateReader {
  private let get: @Sendable () -> State

  @usableFromInline init(_ get: @escaping @Sendable () -> State) {
    self.get = get
  }

  @usableFromInline func visit(callsApp: Bool, _ body: (Lent<Void>) -> Void) {
    lend(get()) { body($0.part(at: 0)) }
  }
}

/// The reader of an ``ElementState`` between two actions. It is never read.
@usableFromInline let noState = ComputedState {}
