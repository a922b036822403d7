import Synchronization

/// A check of a prism for one case, in debug builds.
///
/// A store records for each case which reducers handle it. If a prism finds its part in two cases, or only in some
/// values of its case, the store would skip a reducer without a message.
@usableFromInline final class PrismCheck<Whole: Sendable, Part: Sendable>: Sendable {
  private let enumCase = EnumCase<Whole>()
  private let embed: @Sendable (Part) -> Whole
  /// The number of the prism's case, after a part was found.
  private let own = Atomic<Int>(-1)
  /// The cases of which a value had no part.
  private let missed = Locked<Set<Int>>([])

  private init(_ embed: @escaping @Sendable (Part) -> Whole) {
    self.embed = embed
  }

  /// The same `extract`. It stops the program if its result contradicts `embed`.
  @usableFromInline static func checking(
    _ extract: @escaping @Sendable (Whole) -> Part?, embed: @escaping @Sendable (Part) -> Whole
  ) -> @Sendable (Whole) -> Part? {
    let check = PrismCheck(embed)
    if !check.enumCase.isReadable { return extract }
    return { whole in
      let part = extract(whole)
      check.examine(whole, part)
      return part
    }
  }

  private func examine(_ whole: Whole, _ part: Part?) {
    guard let number = enumCase.number(of: whole) else { return }
    guard let part else {
      if number == own.load(ordering: .relaxed) { failMissing(Self.name(of: whole)) }
      return missed.withLock { _ = $0.insert(number) }
    }
    if number == own.load(ordering: .relaxed) { return }
    let embedded = embed(part)
    if enumCase.number(of: embedded) != number {
      fatalError(
        "A Prism(case:) for .\(Self.name(of: embedded)) found its part in .\(Self.name(of: whole)). "
          + "Its `extract` must match the case that its `embed` makes, and no other.")
    }
    own.store(number, ordering: .relaxed)
    if missed.withLock({ $0.contains(number) }) { failMissing(Self.name(of: whole)) }
  }

  private func failMissing(_ name: String) -> Never {
    fatalError(
      "A Prism(case:) for .\(name) found no part in a value of .\(name). "
        + "Its `extract` must find one in every value of its case; "
        + "write Prism(embed:extract:) for a prism that also depends on the payload.")
  }

  private static func name(of whole: Whole) -> String {
    Mirror(reflecting: whole).children.first?.label ?? "\(whole)"
  }
}
