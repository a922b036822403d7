public import ReeluxCore
public import ReeluxDiff

/// A condition for actions to be logged: the action, its source, its changes, or any combination of these.
///
/// ```swift
/// Feature.logger(to: .standardError, filter: .source(file: "MoviesApp/") && !.action { $0 == .tick })
/// Feature.logger(to: .standardError, filter: .changed("favorites", "location.position"))
/// ```
///
/// Conditions on the action and its source are checked on the pipeline's thread, before anything is formatted or
/// copied. The writer checks conditions on changes. A closure in an `||` or a `!` together with a condition on changes
/// can be called several times for one action.
public struct LogFilter<Action: Sendable>: Sendable {
  private indirect enum Rule: Sendable {
    case everything
    case action(@Sendable (Action) -> Bool)
    case source(@Sendable (ActionSource) -> Bool)
    case changed([ValuePathPattern])
    case not(Rule)
    case and(Rule, Rule)
    case or(Rule, Rule)
  }

  private let rule: Rule

  /// Accepts every action.
  public static var everything: LogFilter { LogFilter(rule: .everything) }

  /// Accepts actions for which the closure returns true.
  public static func action(_ admits: @escaping @Sendable (Action) -> Bool) -> LogFilter {
    LogFilter(rule: .action(admits))
  }

  /// Accepts actions of one case.
  public static func action<Part: Sendable>(_ prism: Prism<Action, Part>) -> LogFilter {
    LogFilter(rule: .action { prism.extract($0) != nil })
  }

  /// Accepts actions if the closure returns true for their source.
  public static func source(_ admits: @escaping @Sendable (ActionSource) -> Bool) -> LogFilter {
    LogFilter(rule: .source(admits))
  }

  /// Accepts actions that were dispatched in a file whose `Module/File.swift` begins with this text.
  public static func source(file prefix: String) -> LogFilter {
    LogFilter(rule: .source { $0.file.hasPrefix(prefix) })
  }

  /// Accepts actions that changed one of these parts of the state, something inside it, or a value that contains it.
  ///
  /// For a pattern with one name, such as `"token"`, or with `**`, a value that contains the part does not count. So an
  /// action that sets a whole optional, or adds a whole element, is accepted only for a pattern that leads to the part,
  /// such as `"session.token"`. Redacted parts are compared too.
  ///
  /// Needs ``LogDetail/changes``; with less detail it accepts no action. The budget of the logger may not suffice to
  /// compare the whole states. Then the logger cannot determine whether some parts have changed. If the result of the
  /// filter depends on such a part, the filter accepts the action.
  public static func changed(_ patterns: ValuePathPattern...) -> LogFilter {
    LogFilter(rule: .changed(patterns))
  }

  /// Accepts actions that both filters accept.
  public static func && (lhs: LogFilter, rhs: LogFilter) -> LogFilter { LogFilter(rule: .and(lhs.rule, rhs.rule)) }

  /// Accepts actions that at least one filter accepts.
  public static func || (lhs: LogFilter, rhs: LogFilter) -> LogFilter { LogFilter(rule: .or(lhs.rule, rhs.rule)) }

  /// Accepts actions that the filter does not accept.
  public static prefix func ! (filter: LogFilter) -> LogFilter { LogFilter(rule: .not(filter.rule)) }
}

extension LogFilter {
  /// Whether every action passes.
  var isOpen: Bool { if case .everything = rule { true } else { false } }

  /// Whether the filter depends on the changes.
  var asksForChanges: Bool { Self.asksForChanges(rule) }

  /// The filter without those operands of an outer `&&` that do not depend on the changes. They were checked before.
  var ofChanges: LogFilter { LogFilter(rule: Self.ofChanges(rule)) }

  /// Whether the action passes; `nil` if this depends on unknown changes.
  func admits(_ action: Action, _ source: ActionSource, _ difference: ValueDifference? = nil) -> Bool? {
    Self.decide(rule, action, source, difference)
  }

  private static func ofChanges(_ rule: Rule) -> Rule {
    guard case .and(let left, let right) = rule else { return rule }
    if !asksForChanges(left) { return ofChanges(right) }
    if !asksForChanges(right) { return ofChanges(left) }
    return .and(ofChanges(left), ofChanges(right))
  }

  private static func asksForChanges(_ rule: Rule) -> Bool {
    switch rule {
    case .everything, .action, .source: false
    case .changed: true
    case .not(let rule): asksForChanges(rule)
    case .and(let left, let right), .or(let left, let right): asksForChanges(left) || asksForChanges(right)
    }
  }

  private static func decide(
    _ rule: Rule, _ action: Action, _ source: ActionSource, _ difference: ValueDifference?
  ) -> Bool? {
    switch rule {
    case .everything: return true
    case .action(let admits): return admits(action)
    case .source(let admits): return admits(source)
    case .changed(let patterns):
      guard let difference else { return nil }
      let isFound = difference.changes.contains { change in patterns.contains { $0.meets(change.path) } }
      return isFound ? true : difference.isTruncated ? nil : false
    case .not(let rule): return decide(rule, action, source, difference).map { !$0 }
    case .and(let left, let right):
      let first = decide(left, action, source, difference)
      if first == false { return false }
      let second = decide(right, action, source, difference)
      return second == false ? false : first == nil ? nil : second
    case .or(let left, let right):
      let first = decide(left, action, source, difference)
      if first == true { return true }
      let second = decide(right, action, source, difference)
      return second == true ? true : first == nil ? nil : second
    }
  }
}
