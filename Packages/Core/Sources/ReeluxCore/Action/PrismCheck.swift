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
  /// The values without a part, the first of each case.
  private let missed = Locked<[Int: String]>([:])

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
      // The description of the action may use this prism, so it is read after the case was noted and without the lock.
      let isFirst = missed.withLock { missed in
        if missed[number] != nil { return false }
        missed[number] = "case \(number)"
        return true
      }
      if isFirst {
        let name = Self.name(of: whole)
        missed.withLock { $0[number] = name }
      }
      return
    }
    if number == own.load(ordering: .relaxed) { return }
    let embedded = embed(part)
    if enumCase.number(of: embedded) != number {
      fatalError(
        "A Prism(case:) for .\(Self.name(of: embedded)) found its part in .\(Self.name(of: whole)). "
          + "Its `extract` must match the case that its `embed` makes, and no other.")
    }
    own.store(number, ordering: .relaxed)
    if let name = missed.withLock({ $0[number] }) { failMissing(name) }
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
