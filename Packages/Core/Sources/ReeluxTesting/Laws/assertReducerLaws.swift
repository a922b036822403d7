public import ReeluxCore
public import ReeluxDiff

/// Asserts the laws of reducers for your reducers, with generated actions and states.
///
/// - A reducer is a function: the same action and state always give the same state.
/// - An action that the reducer does not accept does not change the state.
/// - `identity` before or after the reducer changes nothing.
/// - Composition is associative for any three of the reducers.
///
/// ```swift
/// @Test func theReducerObeysTheLaws() {
///   assertReducerLaws(
///     of: Reducer<RatingAction, Rating>.rating,
///     action: { $0.element(of: [.rate(.one), .saved(.five), .refused("no")]) ?? .rate(.one) },
///     state: { Rating(confirmed: Stars(rawValue: $0.integer(in: 1...5))) })
/// }
/// ```
///
/// The first case that breaks a law is reported with its action, state and seed. Costs the number of cases times the
/// cube of the number of reducers.
///
/// - Parameters:
///   - reducers: One or a few reducers. Associativity is also checked with the same reducer in several places.
///   - seed: The seed of the generators. The same seed gives the same cases. Default: 1.
///   - count: The number of cases for each law. Default: 100.
///   - budget: The limits of the differences in messages.
///   - action: Generates an action.
///   - state: Generates a state.
public func assertReducerLaws<Action: Sendable, State: Sendable>(
  of reducers: Reducer<Action, State>..., seed: UInt64 = 1, count: Int = 100,
  budget: InspectionBudget = .standard, action: (SeededRandom) -> Action,
  state: (SeededRandom) -> State, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  function: StaticString = #function, line: UInt = #line, column: UInt = #column
) {
  let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
  let laws = LawCheck(seed: seed, count: count, budget: budget, place: place)
  for reducer in reducers {
    laws.check("“The same action and state give the same state”") {
      laws.difference(reducer, reducer, action($0), state($0))
    }
    laws.check("“An action that is not accepted leaves the state untouched”") { random in
      let (action, before) = (action(random), state(random))
      var after = before
      if reducer.reduce(action, &after) { return nil }
      guard let change = laws.change(before, after) else { return nil }
      return "  action: \(ValueText.describing(action))\n\n\(change)"
    }
    laws.check("“identity <> reducer is the reducer”") {
      laws.difference(.identity <> reducer, reducer, action($0), state($0))
    }
    laws.check("“reducer <> identity is the reducer”") {
      laws.difference(reducer <> .identity, reducer, action($0), state($0))
    }
  }
  laws.check("“(a <> b) <> c is a <> (b <> c)”") { random in
    let (action, state) = (action(random), state(random))
    for first in reducers {
      for second in reducers {
        for third in reducers {
          let problem = laws.difference(
            (first <> second) <> third, first <> (second <> third), action, state)
          if let problem { return problem }
        }
      }
    }
    return nil
  }
}
