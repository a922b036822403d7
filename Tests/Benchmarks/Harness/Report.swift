import Foundation

/// Writes rows as soon as they are complete.
struct Report {
  let json: Bool
  /// The file that receives the rows as JSON too.
  let file: FileHandle?

  func begin() {
    guard !json else { return }
    print("workload    ns/action  baseline          ns  ratio    target  allocations")
  }

  func write(_ row: Runner.Row) {
    if json || file != nil {
      let fields = [
        "\"name\":\"\(row.name)\"", "\"ns\":\(number(row.nanoseconds))", "\"baseline\":\"\(row.baseline)\"",
        "\"baselineNs\":\(number(row.baselineNanoseconds))", "\"ratio\":\(number(row.ratio))",
        "\"allocationsPerAction\":\(row.allocationsPerAction.map(number) ?? "null")",
      ]
      let line = "{\(fields.joined(separator: ","))}"
      file?.write(Data((line + "\n").utf8))
      if json { print(line) }
    }
    if !json {
      let columns = [
        left(row.name, 11), right(decimal(row.nanoseconds, 1), 10), "  " + left(row.baseline, 13),
        right(decimal(row.baselineNanoseconds, 1), 7), right(decimal(row.ratio, 2), 7),
        right(row.target.map(text) ?? "", 10), right(row.allocationsPerAction.map { decimal($0, 3) } ?? "", 13),
        row.isMet.map { $0 ? "  met" : "  missed" } ?? "",
      ]
      print(columns.joined())
    }
    // Each row is flushed, for a reader at the other end of a pipe.
    fflush(nil)
  }

  private func text(_ target: Target) -> String {
    switch target {
    case .times(let factor): decimal(factor, 1)
    case .more(let limit): "+\(decimal(limit, 0)) ns"
    }
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
