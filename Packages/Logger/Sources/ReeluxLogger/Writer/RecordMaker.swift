import ReeluxCore
import ReeluxDiff
internal import Foundation

/// Makes records of entries: differences, filtering by changes, texts.
///
/// `@unchecked Sendable`: one thread at a time uses the inspector, see ``LogWriter``.
final class RecordMaker<Action: Sendable, State: Sendable>: @unchecked Sendable {
  typealias Entry = ActionRecord<Action, State?>

  private let options: LogOptions<Action>
  /// The conditions that depend on changes; `nil` if there are none.
  private let filter: LogFilter<Action>?
  private let inspector: ValueInspector
  /// The inspector for the filter, if values are redacted. Redaction does not change what a filter accepts.
  private let filterInspector: ValueInspector?
  /// The inspector of whole states, whose texts may be 100 times as long as those of values.
  private let stateInspector: ValueInspector

  init(_ options: LogOptions<Action>) {
    self.options = options
    filter = options.filter.asksForChanges ? options.filter.ofChanges : nil
    inspector = ValueInspector(budget: options.budget, hiding: options.redacting, types: options.redactingTypes)
    let isRedacting = !options.redacting.isEmpty || !options.redactingTypes.isEmpty
    filterInspector = filter != nil && isRedacting ? ValueInspector(budget: options.budget) : nil
    var budget = options.budget
    budget.textLength = min(budget.textLength, .max / 100) * 100
    stateInspector = ValueInspector(budget: budget, hiding: options.redacting, types: options.redactingTypes)
  }

  /// Returns the record of an entry, or `nil` if the filter rejects its changes.
  func record(of entry: Entry) -> LogRecord? {
    let shown = filterInspector == nil ? difference(of: entry) : nil
    return admits(entry, shown) ? record(of: entry, shown ?? difference(of: entry), repeats: 1) : nil
  }

  /// Returns the record of equal actions, each of which the filter has accepted.
  func record(of entry: Entry, repeats: Int) -> LogRecord {
    record(of: entry, difference(of: entry), repeats: repeats)
  }

  /// Whether the filter accepts the changes of an entry.
  func admits(_ entry: Entry) -> Bool {
    filter == nil || admits(entry, filterInspector == nil ? difference(of: entry) : nil)
  }

  private func difference(of entry: Entry) -> ValueDifference? {
    guard let before = entry.before, let after = entry.after else { return nil }
    return inspector.difference(from: before, to: after)
  }

  private func record(of entry: Entry, _ difference: ValueDifference?, repeats: Int) -> LogRecord {
    let (name, text) = inspector.nameAndText(of: entry.action)
    var record = LogRecord(
      number: entry.number, time: Date(timeIntervalSince1970: Double(entry.time) / 1e9), name: name, action: text,
      source: entry.source,
      difference: difference, duration: entry.duration < 0 ? nil : .nanoseconds(entry.duration), repeats: repeats)
    if options.detail >= .states {
      record.before = entry.before.map { stateInspector.text(of: $0) }
      record.after = entry.after.map { stateInspector.text(of: $0) }
    }
    return record
  }

  /// - Parameter difference: The difference that a record shows. It is not used if values are redacted.
  private func admits(_ entry: Entry, _ difference: ValueDifference?) -> Bool {
    guard let filter else { return true }
    guard let before = entry.before, let after = entry.after else {
      return filter.admits(entry.action, entry.source, ValueDifference()) != false
    }
    let known = filterInspector?.difference(from: before, to: after) ?? difference ?? ValueDifference()
    if let isAdmitted = filter.admits(entry.action, entry.source, known) { return isAdmitted }
    // There are more changes than a record shows.
    let paths = (filterInspector ?? inspector).paths(from: before, to: after)
    return filter.admits(entry.action, entry.source, paths) != false
  }

  /// Whether two entries have the same source and equal actions.
  func isSame(_ left: Entry, _ right: Entry) -> Bool {
    left.source == right.source && inspector.isSame(left.action, right.action)
  }
}
