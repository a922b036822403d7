import Foundation

/// Writes rows as they come.
struct Report {
  let json: Bool

  func begin() {
    guard !json else { return }
    print("workload    ns/action  baseline          ns  ratio  target  allocations")
  }

  func write(_ row: Runner.Row) {
    if json {
      let fields = [
        "\"name\":\"\(row.name)\"", "\"ns\":\(number(row.nanoseconds))", "\"baseline\":\"\(row.baseline)\"",
        "\"baselineNs\":\(number(row.baselineNanoseconds))", "\"ratio\":\(number(row.ratio))",
        "\"allocationsPerAction\":\(row.allocationsPerAction.map(number) ?? "null")",
      ]
      print("{\(fields.joined(separator: ","))}")
    } else {
      let columns = [
        left(row.name, 11), right(decimal(row.nanoseconds, 1), 10), "  " + left(row.baseline, 13),
        right(decimal(row.baselineNanoseconds, 1), 7), right(decimal(row.ratio, 2), 7),
        right(row.target.map { decimal($0, 1) } ?? "", 8),
        right(row.allocationsPerAction.map { decimal($0, 3) } ?? "", 13),
      ]
      print(columns.joined())
    }
    // A reader at the other end of a pipe wants each row when it is there.
    fflush(nil)
  }

  private func number(_ value: Double) -> String { value.isFinite ? decimal(value, 3) : "null" }

  private func decimal(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
