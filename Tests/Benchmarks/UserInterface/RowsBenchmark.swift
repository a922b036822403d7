import Foundation
import Observation
import ReeluxCore
import ReeluxUI

/// A list of 10,000 rows that 10,000 trackers read. One element changes.
@MainActor
enum RowsBenchmark {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var isFavorite = false
  }

  struct ListState: Equatable, Sendable {
    var rows: [Row]
  }

  enum RowAction: Sendable { case rename(String) }
  typealias ListAction = ElementAction<Int, RowAction>

  static let count = 10_000

  /// The figures of one way of tracking, as lines.
  static func run() throws -> [String] {
    let own = measureChanges(200) { view, id in
      view.projection(element: id, of: \.rows, action: { (action: ListAction) in action })?.title
    }
    let field = measureChanges(200) { view, id in view[\.rows[id].title] }
    let whole = measureChanges(10) { view, id in view.rows[id].title }
    try check(own.visited, is: 1, "trackers that were called for one row")
    return [
      "rows: \(count) rows, \(count) trackers, one element changed, from send until the trackers were called",
      "  a store for each row:      \(own.text)",
      "  a key path for each row:   \(field.text)",
      "  the array as one field:    \(whole.text)",
    ]
  }

  private struct Figures {
    var microseconds: Double
    var visited: Int
    var text: String { String(format: "%8.0f µs, %ld tracker(s) called", microseconds, visited) }
  }

  private static func measureChanges(
    _ repetitions: Int, read: @escaping (MainActorStore<ListAction, ListState>, Int) -> String?
  ) -> Figures {
    let state = ListState(rows: (0..<count).map { Row(id: $0, title: "row \($0)") })
    let reducer = Reducer<RowAction, Row> { action, row in
      switch action {
      case .rename(let title): row.title = title
      }
    }
    let store = Store(
      initialState: state,
      reducer: reducer.lift(action: Prism<ListAction, ListAction>.identity, element: .byIndex(\ListState.rows))
    )
    let view = MainActorStore(store)
    var called: [Int] = []
    func track(_ id: Int) {
      withObservationTracking {
        _ = read(view, id)
      } onChange: {
        MainActor.assumeIsolated { called.append(id) }
      }
    }
    for id in 0..<count { track(id) }
    var times: [Duration] = []
    var visited = 0
    for repetition in 0..<repetitions {
      called.removeAll(keepingCapacity: true)
      let id = (repetition * 7_919) % count
      times.append(ContinuousClock().measure { view.send(ElementAction(id, .rename("change \(repetition)"))) })
      visited = max(visited, called.count)
      for id in called { track(id) }
    }
    times.sort()
    return Figures(microseconds: times[times.count / 2] / .microseconds(1), visited: visited)
  }
}
