import ReeluxCore

/// A sheet, an alert or another presentation. It is open while an optional part of the state has a value.
///
/// Dismissing sends an action once, and only if the part that this presentation has shown last still exists. A late
/// dismissal at the end of an animation therefore does not close a sheet that was opened in the meantime. If the
/// presentation has shown no part yet, dismissing closes the present one. With a
/// `StoreType` of your own, each dismissal before the action is reduced sends the action.
///
/// ```swift
/// let alert = store.presentation(\.failure, dismiss: .failureSeen)
/// if let failure = alert.item { print(failure) }
/// alert.dismiss()
/// ```
@MainActor
public struct Presentation<Item> {
  private let read: @MainActor () -> (item: Item, lifetime: Lifetime)?
  private let trackItem: @MainActor () -> Void
  private let send: @MainActor (_ number: UInt64) -> Void
  private let seen = LastShown()

  init(
    read: @escaping @MainActor () -> (item: Item, lifetime: Lifetime)?, trackItem: @escaping @MainActor () -> Void,
    send: @escaping @MainActor (UInt64) -> Void
  ) {
    self.read = read
    self.trackItem = trackItem
    self.send = send
    seen.number = read()?.lifetime.number
  }

  /// The part, or `nil`. A read tracks its value. If the value cannot be compared, a tracker is called for each update.
  public var item: Item? {
    trackItem()
    return show()?.item
  }

  /// Whether the part has a value. A read tracks this, and not the value.
  public var isPresented: Bool { show() != nil }

  /// The part that is shown now.
  private func show() -> (item: Item, lifetime: Lifetime)? {
    let part = read()
    if let part { seen.number = part.lifetime.number }
    return part
  }

  /// Sends the action that removes the part, if the last displayed part still exists. While such an action waits in the
  /// queue, a second call sends nothing, except with a `StoreType` of your own.
  public func dismiss() {
    guard let lifetime = read()?.lifetime, !lifetime.hasEnded else { return }
    if seen.number == nil || seen.number == lifetime.number { send(lifetime.number) }
  }
}

extension MainActorStore {
  /// Returns a presentation of an optional part. Dismissing it sends `action`.
  public func presentation<Item: Sendable>(
    _ path: any KeyPath<State, Item?> & Sendable, dismiss action: @escaping @autoclosure @MainActor () -> Action,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Presentation<Item> {
    presentation(
      path, of: optionalPart(path), action, ActionSource(file: file, function: function, line: line))
  }

  /// Returns a presentation of an optional part with an identity. A part with another id is another presentation.
  public func presentation<Item: Sendable & Identifiable>(
    _ path: any KeyPath<State, Item?> & Sendable, dismiss action: @escaping @autoclosure @MainActor () -> Action,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Presentation<Item> {
    presentation(
      path, of: optionalPart(path), action, ActionSource(file: file, function: function, line: line))
  }

  private func presentation<Item: Sendable>(
    _ path: any KeyPath<State, Item?> & Sendable, of part: OptionalPart<State, Item>,
    _ action: @escaping @MainActor () -> Action,
    _ source: ActionSource
  ) -> Presentation<Item> {
    Presentation {
      part.value(in: self.shown)
    } trackItem: {
      self.track(FieldKey(path: path, kind: .item)) { areEqual($0[keyPath: path], $1[keyPath: path]) }
    } send: { number in
      if part.dismissed == number { return }
      part.dismissed = number
      _ = self.send(action(), from: source) {
        if part.dismissed == number { part.dismissed = nil }
      }
    }
  }
}

/// Whether two items are equal. Items that cannot be compared are different.
private func areEqual<Item>(_ left: Item?, _ right: Item?) -> Bool {
  func equals<Known: Equatable>(_ known: Known, _ right: Item) -> Bool { known == right as? Known }
  switch (left, right) {
  case (nil, nil): return true
  case (let left?, let right?): return (left as? any Equatable).map { equals($0, right) } ?? false
  default: return false
  }
}

/// The number of the part that a presentation showed last.
@MainActor
final class LastShown {
  var number: UInt64?
}
