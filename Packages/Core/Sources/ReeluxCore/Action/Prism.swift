/// Extracts a part from a whole that may contain it, and embeds a part in a whole. Usually the part is the payload of
/// one case of an action enum, sometimes the result of a cast.
///
/// A prism works in two directions. `embed` creates a whole from a part, and `extract` returns the part again:
///
/// - `extract(embed(part))` is `part`;
/// - if `extract(whole)` returns a part, `embed(part)` is `whole`.
///
/// Write one line for a case of an enum:
///
/// ```swift
/// extension Prism<AppAction, FavoritesAction<String>> {
///   static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
/// }
/// ```
public struct Prism<Whole: Sendable, Part: Sendable>: Sendable {
  /// Creates a whole from a part.
  public let embed: @Sendable (Part) -> Whole
  /// Returns the part of a whole, or `nil` if the whole does not contain it.
  public let extract: @Sendable (Whole) -> Part?
  /// Decides by `Whole`'s enum case alone whether the part *may* be present; `nil` if only `extract` can decide.
  @usableFromInline let claims: (@Sendable (Whole) -> Bool)?
  /// Whether the prism is ``identity``.
  @usableFromInline let isIdentity: Bool

  @inlinable init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?,
    claims: (@Sendable (Whole) -> Bool)?, isIdentity: Bool = false
  ) {
    self.embed = embed
    self.extract = extract
    self.claims = claims
    self.isIdentity = isIdentity
  }

  /// Creates a prism for one case of the enum `Whole`.
  ///
  /// `extract` must return a part for *every* value of this case and for no other value. A store records which reducers
  /// accept a case, and does not call the other reducers' `extract` for this case again. So the cost of an action
  /// hardly grows with the number of lifted features. If a prism also depends on the payload, use
  /// ``init(embed:extract:)``.
  ///
  /// A debug build stops the program when it detects that `extract` breaks this rule. The message names the cases.
  @inlinable public init(
    case embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    #if DEBUG
      let extract = PrismCheck.checking(extract, embed: embed)
    #endif
    self.init(embed: embed, extract: extract, claims: { extract($0) != nil })
  }

  /// Creates a prism of any kind. A store calls `extract` for every action.
  @inlinable public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.init(embed: embed, extract: extract, claims: nil)
  }

  /// Returns `claims` of a reducer or middleware after a lift by this prism. `inner` is the value before the lift. The
  /// identity keeps it.
  @usableFromInline func claims(with inner: (@Sendable (Part) -> Bool)?) -> (@Sendable (Whole) -> Bool)? {
    claims ?? (isIdentity ? inner as? @Sendable (Whole) -> Bool : nil)
  }

  /// Returns a prism that extracts a part of this prism's part with `next`, and embeds it in the same whole.
  @inlinable public func appending<Inner: Sendable>(_ next: Prism<Part, Inner>) -> Prism<Whole, Inner> {
    Prism<Whole, Inner>(
      embed: { [embed] in embed(next.embed($0)) }, extract: { [extract] in extract($0).flatMap(next.extract) },
      claims: claims(with: next.claims))
  }
}

extension Prism where Whole == Part {
  /// The prism whose part is the whole.
  @inlinable public static var identity: Prism { Prism(embed: { $0 }, extract: { $0 }, claims: nil, isIdentity: true) }
}

extension Prism {
  /// A prism for an open set of action types. It finds the part with a dynamic cast.
  ///
  /// `Whole` is an existential such as `any Action`, and `embed` is usually `{ $0 }`. A store makes the cast for every
  /// action.
  @inlinable public static func cast(embed: @escaping @Sendable (Part) -> Whole) -> Prism {
    Prism(embed: embed, extract: { $0 as? Part })
  }
}

extension Prism where Part == Never {
  /// The prism that never finds a part, for features without actions.
  @inlinable public static var never: Prism { Prism(embed: absurd, extract: { _ in nil }, claims: { _ in false }) }
}

extension Prism where Part == Void {
  /// Creates a prism for a case without payload.
  ///
  /// ```swift
  /// extension Prism<AppAction, Void> { static let reset = Prism(case: .reset) }
  /// ```
  public init(case value: Whole) {
    assert(
      Mirror(reflecting: value).children.isEmpty,
      "\(value) has a payload. Write a prism for its case: "
        + "Prism(case: \(Whole.self).name) { if case .name(let it) = $0 { it } else { nil } }")
    let enumCase = EnumCase<Whole>()
    let isSame: @Sendable (Whole) -> Bool
    if let number = enumCase.number(of: value) {
      isSame = { enumCase.number(of: $0) == number }
    } else {
      let text = String(reflecting: value)
      isSame = { String(reflecting: $0) == text }
    }
    self.init(embed: { (_: Void) in value }, extract: { isSame($0) ? () : nil }, claims: isSame)
  }
}

/// Returns a value of any type for a value that cannot exist.
@inlinable func absurd<Value>(_ impossible: Never) -> Value {}
