/// A check of a prism for one case, in debug builds.
///
/// A store records for each case which reducers handle it. If a prism found its part only in some values of a case, the
/// store could skip a reducer without a message. If it found its part in two cases, `embed` would create only one of
/// them.
@usableFromInline final class PrismCheck<Whole: Sendable, Part: Sendable>: Sendable {
  private let enumCase = EnumCase<Whole>()
  /// For the number of each case, whether its last value had a part.
  private let hasPart = Locked<[Int: Bool]>([:])

  /// The same `extract`. It stops the program if its result contradicts `embed`, or its result for an earlier value of
  /// the case.
  @usableFromInline static func checking(
    _ extract: @escaping @Sendable (Whole) -> Part?, embed: @escaping @Sendable (Part) -> Whole
  ) -> @Sendable (Whole) -> Part? {
    let check = PrismCheck()
    return { whole in
      let part = extract(whole)
      check.examine(whole, part, embed)
      return part
    }
  }

  private func examine(_ whole: Whole, _ part: Part?, _ embed: (Part) -> Whole) {
    guard let number = enumCase.number(of: whole) else { return }
    let earlier = hasPart.withLock { $0.updateValue(part != nil, forKey: number) }
    if earlier == (part != nil) { return }
    let name = Self.name(of: whole)
    if let embedded = part.map(embed), enumCase.number(of: embedded) != number {
      fatalError(
        "A Prism(case:) for .\(Self.name(of: embedded)) found its part in .\(name). "
          + "Its `extract` must match the case that its `embed` makes, and no other.")
    }
    if earlier == nil { return }
    fatalError(
      "A Prism(case:) for .\(name) found no part in a value of .\(name). "
        + "Its `extract` must find one in every value of its case; "
        + "write Prism(embed:extract:) for a prism that also depends on the payload.")
  }

  private static func name(of whole: Whole) -> String {
    Mirror(reflecting: whole).children.first?.label ?? "\(whole)"
  }
}
