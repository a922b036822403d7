public import ReeluxCore
public import ReeluxDiff

/// Asserts that a reducer can be lifted into a whole by this prism and this key path, on generated values.
///
/// - The laws of prisms hold: `extract` finds what `embed` embeds, and embedding what `extract` finds
///   gives the whole.
/// - The laws of key paths hold: a read gives the written value, writing a read value changes
///   nothing, and the second of two writes is the one that is read.
/// - An action of another part leaves the whole state untouched and is not accepted.
/// - An action of this part changes the part as the reducer does, and does not change the
///   rest.
/// - Lifting `identity` gives `identity`, and lifting a composition composes the lifted ones.
///
/// ```swift
/// assertLiftLaws(
///   of: Reducer<RatingAction, Rating>.rating, action: Prism.rating, state: \AppState.rating,
///   wholeAction: { $0.chance(0.5) ? .rating(.rate($0.integer(in: 1...5))) : .reset },
///   wholeState: { AppState(rating: Rating(confirmed: $0.integer(in: 1...5)), title: "\($0.next())") })
/// ```
///
/// The first case that breaks a law is reported with its values and the seed.
///
/// - Parameters:
///   - reducer: The reducer of the part.
///   - prism: The case that holds the part's actions.
///   - path: The property that holds the part's state.
///   - seed: The seed of the generators; the same seed gives the same cases.
///   - count: The number of cases for each law; default 100.
///   - budget: The limits of the differences in messages.
///   - wholeAction: Generates actions of the whole, the part's among them.
///   - wholeState: Generates states of the whole.
public func assertLiftLaws<Action: Sendable, State: Sendable, WholeAction: Sendable, WholeState: Sendable>(
  of reducer: Reducer<Action, State>, action prism: Prism<WholeAction, Action>,
  state path: any WritableKeyPath<WholeState, State> & Sendable, seed: UInt64 = 1, count: Int = 100,
  budget: InspectionBudget = .standard,
  wholeAction: (SeededRandom) -> WholeAction, wholeState: (SeededRandom) -> WholeState,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
  line: UInt = #line, column: UInt = #column
) {
  let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
  let laws = LawCheck(seed: seed, count: count, budget: budget, place: place)
  checkPrism(prism, wholeAction, laws)
  checkPath(path, wholeState, laws)

  let lifted = reducer.lift(action: prism, state: path)
  laws.check("“An action of another part leaves the whole untouched”") { random in
    let (action, state) = (wholeAction(random), wholeState(random))
    return prism.extract(action) == nil ? laws.difference(lifted, .identity, action, state) : nil
  }
  let byHand = Reducer<WholeAction, WholeState>.partial { action, state in
    guard let part = prism.extract(action) else { return false }
    return reducer.reduce(part, &state[keyPath: path])
  }
  laws.check("“A lifted reducer does to its part what the reducer does, and nothing to the rest”") {
    laws.difference(lifted, byHand, wholeAction($0), wholeState($0))
  }
  let identity = Reducer<Action, State>.identity.lift(action: prism, state: path)
  laws.check("“Lifting identity gives identity”") {
    laws.difference(identity, .identity, wholeAction($0), wholeState($0))
  }
  let twice = (reducer <> reducer).lift(action: prism, state: path)
  laws.check("“Lifting a composition composes the lifted ones”") {
    laws.difference(twice, lifted <> lifted, wholeAction($0), wholeState($0))
  }
}

private func checkPrism<Whole: Sendable, Part: Sendable>(
  _ prism: Prism<Whole, Part>, _ whole: (SeededRandom) -> Whole, _ laws: LawCheck
) {
  var found = 0
  laws.check("“Embedding what the prism found gives the whole again”") { random in
    let whole = whole(random)
    guard let part = prism.extract(whole) else { return nil }
    found += 1
    return laws.change(whole, prism.embed(part))
  }
  laws.check("“The prism finds what it embedded”") { random in
    guard let part = prism.extract(whole(random)) else { return nil }
    guard let again = prism.extract(prism.embed(part)) else {
      return "  It finds nothing in what it made of \(ValueText.describing(part))."
    }
    return laws.change(part, again)
  }
  if found == 0 {
    FailureReporter().fail(
      "None of the generated actions is one of the part's: the laws were tried with nothing.", at: laws.place)
  }
}

private func checkPath<Whole, Part>(
  _ path: any WritableKeyPath<Whole, Part> & Sendable, _ whole: (SeededRandom) -> Whole, _ laws: LawCheck
) {
  laws.check("“Writing what was read changes nothing”") { random in
    let before = whole(random)
    var after = before
    after[keyPath: path] = before[keyPath: path]
    return laws.change(before, after)
  }
  laws.check("“What is written is read again, and the last write counts”") { random in
    let (first, second) = (whole(random)[keyPath: path], whole(random)[keyPath: path])
    var state = whole(random)
    state[keyPath: path] = first
    state[keyPath: path] = second
    return laws.change(second, state[keyPath: path])
  }
}
