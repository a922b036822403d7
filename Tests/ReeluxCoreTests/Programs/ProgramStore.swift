import ReeluxCore

/// The app of the random programs. It uses every feature of a store and is small enough for a model.
enum ProgramStore {
  enum Action: Sendable, Equatable {
    /// Adds to the sum. Its interceptor drops 13, turns 7 into 8, and 5 into 2 and 3.
    case add(Int)
    /// Sends `add(1)` and the rest of the chain.
    case chain(Int)
    /// Records the sum after the reducers.
    case note
    /// Starts an effect that adds when its door opens.
    case start(slot: Int, door: Int, amount: Int, replaces: Bool)
    case cancel(slot: Int)
    case openRow(Int)
    case closeRow(Int)
    case row(ElementAction<Int, RowAction>)
    /// The number of a thread and of its action.
    case from(thread: Int, number: Int)
    /// The action of an effect in a program with several threads.
    case late
    case startLate

    var startsEffect: Bool {
      switch self {
      case .start, .startLate: true
      case .row(let element): if case .start = element.action { true } else { false }
      default: false
      }
    }
  }

  enum RowAction: Sendable, Equatable {
    case add(Int)
    case start(door: Int, amount: Int)
  }

  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  struct State: Sendable, Equatable {
    var sum = 0
    var plugins = 0
    var rows: [Row] = []
    var next = SIMD4<Int>()
    var disorder = 0
    var late = 0
  }

  /// The doors at which effects wait.
  final class Doors: Sendable {
    private let doors = Locked<[Int: Door]>([:])
    let notes = Journal<Int>()

    subscript(number: Int) -> Door {
      doors.withLock { doors in
        let door = doors[number] ?? Door()
        doors[number] = door
        return door
      }
    }
  }

  static let reducer = Reducer<Action, State>.partial { action, state in
    switch action {
    case .add(let amount): state.sum += amount
    case .openRow(let id):
      guard !state.rows.contains(where: { $0.id == id }) else { return false }
      state.rows.append(Row(id: id))
    case .closeRow(let id):
      guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return false }
      state.rows.remove(at: index)
    case .from(let thread, let number):
      if state.next[thread] != number { state.disorder += 1 }
      state.next[thread] = number + 1
    case .late: state.late += 1
    case .chain, .note, .start, .cancel, .row, .startLate: return false
    }
    return true
  }

  static let rowPrism = Prism<Action, ElementAction<Int, RowAction>>(case: Action.row) {
    if case .row(let it) = $0 { it } else { nil }
  }

  static func row(_ doors: Doors) -> Feature<RowAction, Row> {
    Feature(
      reducer: .partial { action, row in
        guard case .add(let amount) = action else { return false }
        row.count += amount
        return true
      },
      middleware: Middleware { action, _, _ in
        guard case .start(let door, let amount) = action else { return .none }
        return .task {
          await doors[door].pass()
          return .add(amount)
        }.cancellable(id: "row")
      })
  }

  static func feature(_ doors: Doors) -> Feature<Action, State> {
    let middleware = Middleware<Action, Action, State> { action, _, state in
      switch action {
      case .chain(let length):
        return length > 0 ? .send(.add(1)) <> .send(.chain(length - 1)) : .none
      case .note: return .afterReducer { _ in doors.notes.write(state().sum) }
      case .start(let slot, let door, let amount, let replaces):
        return .task {
          await doors[door].pass()
          return .add(amount)
        }.cancellable(id: slot, cancelInFlight: replaces)
      case .cancel(let slot): return .cancel(id: slot)
      case .startLate: return .task { .late }
      default: return .none
      }
    }
    let interceptor = Interceptor<Action, State> { action, _, _ in
      switch action {
      case .add(13): .drop
      case .add(7): .replace(.add(8))
      case .add(5): .multiply([.add(2), .add(3)])
      default: .pass
      }
    }
    return Feature {
      Feature(reducer: reducer, middleware: middleware, interceptor: interceptor)
      row(doors).lift(action: rowPrism, element: .byID(\State.rows))
    }
  }

  /// A feature that is installed and removed. It adds the added amounts, multiplied by a factor.
  static func plugin(_ factor: Int) -> Feature<Action, State> {
    Feature(
      reducer: .partial { action, state in
        guard case .add(let amount) = action else { return false }
        state.plugins += factor * amount
        return true
      })
  }
}
