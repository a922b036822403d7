/// Joins the statuses of successive states into spans.
struct SpanTracker {
  private struct OpenSpan {
    var status: ReportStatus
    var begin: Int
  }

  private var open: [String: OpenSpan] = [:]
  private var lanes: [String] = []
  private var closed: [JSONValue] = []

  /// Notes what is told of the state after an action; 0 is the initial state.
  mutating func note(_ statuses: [ReportStatus], at number: Int) {
    let told = Dictionary(statuses.map { ($0.lane, $0) }) { $1 }
    for (lane, span) in open.sorted(by: { $0.key < $1.key }) where told[lane] != span.status {
      close(span, at: number)
      open[lane] = nil
    }
    for status in statuses where open[status.lane] == nil {
      if !lanes.contains(status.lane) { lanes.append(status.lane) }
      open[status.lane] = OpenSpan(status: status, begin: number)
    }
  }

  /// Ends all spans with the last action.
  mutating func finish(at number: Int) {
    for (_, span) in open.sorted(by: { $0.key < $1.key }) { close(span, at: number + 1) }
    open = [:]
  }

  private mutating func close(_ span: OpenSpan, at number: Int) {
    closed.append(
      .object([
        "lane": .string(span.status.lane), "kind": .string(span.status.kind.rawValue),
        "note": .string(span.status.note), "from": .number("\(span.begin)"), "to": .number("\(number)"),
      ]))
  }

  /// The lanes in the order of their first span, and all spans.
  var json: JSONValue {
    .object(["lanes": .array(lanes.map { .string($0) }), "spans": .array(closed)])
  }
}
