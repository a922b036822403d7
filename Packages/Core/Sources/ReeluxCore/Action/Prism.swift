/// A part that a whole may hold: usually the payload of one case of an action
/// enum, sometimes the result of a cast.
///
/// A prism goes both ways. `embed` makes a whole from a part, and `extract`
/// finds the part again:
///
/// - `extract(embed(part))` is `part`;
/// - if `extract(whole)` is a part, `embed` of it is `whole`.
///
/// For a case of an enum, write one line:
///
/// ```swift
/// extension Prism<AppAction, FavoritesAction<String>> {
///   static let favorites = Prism(case: AppAction.favorites) { if case .favorites(let it) = $0 { it } else { nil } }
/// }
/// ```
public struct Prism<Whole: Sendable, Part: Sendable>: Sendable {
  /// Makes a whole from a part.
  public let embed: @Sendable (Part) -> Whole
  /// Finds the part in a whole, or `nil` if the whole holds something else.
  public let extract: @Sendable (Whole) -> Part?
  /// Decides by `Whole`'s enum case alone whether the part *may* be there; `nil` if only `extract` can
  /// decide.
  @usableFromInline let claims: (@Sendable (Whole) -> Bool)?
  /// Whether it is ``identity``.
  @usableFromInline let isIdentity: Bool

  @inlinable
  init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?,
    claims: (@Sendable (Whole) -> Bool)?, isIdentity: Bool = false
  ) {
    self.embed = embed
    self.extract = extract
    self.claims = claims
    self.isIdentity = isIdentity
  }

  /// A prism for one case of the enum `Whole`.
  ///
  /// `extract` must find a part in *every* value of this case and in no other
  /// value. A store notes which reducers a case belongs to, and does not call
  /// `extract` of the others again. So 64 lifted features are as fast as one.
  /// For a prism that also looks at the payload, use ``init(embed:extract:)``.
  ///
  /// A debug build ends the program at the first action that shows a mistake.
  /// The message names both cases.
  @inlinable
  public init(
    case embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    #if DEBUG
      let extract = PrismCheck.checking(extract, embed: embed)
    #endif
    self.init(embed: embed, extract: extract, claims: { extract($0) != nil })
  }

  /// A prism of any kind; a store calls `extract` for every action.
  @inlinable
  public init(
    embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?
  ) {
    self.init(embed: embed, extract: extract, claims: nil)
  }

  /// A prism into a part of this prism's part.
  @inlinable
  public func appending<Inner: Sendable>(_ next: Prism<Part, Inner>) -> Prism<Whole, Inner> {
    let embed = self.embed
    let extract = self.extract
    return Prism<Whole, Inner>(
      embed: { embed(next.embed($0)) },
      extract: { extract($0).flatMap(next.extract) },
      claims: claims)
  }
}

extension Prism where Whole == Part {
  /// The prism whose part is the whole.
  @inlinable
  public static var identity: Prism { Prism(embed: { $0 }, extract: { $0 }, claims: nil, isIdentity: true) }
}

extension Prism {
  /// A prism for an open set of action types: finds the part by a dynamic cast.
  ///
  /// `Whole` is an existential such as `any Action`; `embed` is usually `{ $0 }`.
  @inlinable
  public static func cast(embed: @escaping @Sendable (Part) -> Whole) -> Prism {
    Prism(embed: embed, extract: { $0 as? Part })
  }
}

extension Prism where Part == Never {
  /// The prism that never finds a part, for features that take no actions.
  @inlinable
  public static var never: Prism { Prism(embed: absurd, extract: { _ in nil }) }
}

extension Prism where Part == Void {
  /// A prism for a case without payload.
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

/// Makes a value of any type from a value that cannot exist.
@inlinable
func absurd<Value>(_ impossible: Never) -> Value {}
