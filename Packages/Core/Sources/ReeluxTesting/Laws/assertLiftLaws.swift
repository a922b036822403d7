public import ReeluxCore
public import ReeluxDiff

/// Asserts that this prism and this key path lift a reducer correctly, with generated values.
///
/// - The laws of prisms hold: `extract(embed(part))` is `part`, and if `extract(whole)` returns a part, `embed(part)`
///   is `whole`. The parts are those that `extract` returns for actions of `wholeAction`, and those of `partAction`. If
///   `extract` returns `nil` for an action of the part, only `partAction` can show this.
/// - The laws of key paths hold: a read returns the value that was written last, and writing the value that was read
///   changes nothing.
/// - An action of another part is not accepted and does not change the state.
/// - An action of this part changes the part in the same way as the reducer, and changes nothing else.
/// - Lifting `identity` gives `identity`, and lifting a composition composes the lifted reducers.
///
/// ```swift
/// assertLiftLaws(
///   of: Reducer<RatingAction, Rating>.rating, action: Prism.rating, state: \AppState.rating,
///   partAction: { $0.chance(0.5) ? .rate(.one) : .saved(.five) },
///   wholeAction: { $0.chance(0.5) ? .rating(.rate(.four)) : .reset },
///   wholeState: {
///     AppState(rating: Rating(confirmed: Stars(rawValue: $0.integer(in: 1...5))), title: "\($0.next())")
///   })
/// ```
///
/// The first case that breaks a law is reported with its values and the seed. A wrong `Prism(case:)` is not: in a debug
/// build, ReeluxCore stops the program with a message about it.
///
/// - Parameters:
///   - reducer: The reducer of the part.
///   - prism: The case with the part's actions.
///   - path: The property with the part's state.
///   - seed: The seed of the generators. The same seed gives the same cases. Default: 1.
///   - count: The number of cases for each law. Default: 100.
///   - budget: The limits of the differences in messages.
///   - partAction: Generates actions of the part. Default: none.
///   - wholeAction: Generates actions of the whole, including actions of the part.
///   - wholeState: Generates states of the whole.
public func assertLiftLaws<Action: Sendable, State: Sendable, WholeAction: Sendable, WholeState: Sendable>(
  of reducer: Reducer<Action, State>, action prism: Prism<WholeAction, Action>,
  state path: any WritableKeyPath<WholeState, State> & Sendable, seed: UInt64 = 1, count: Int = 100,
  budget: InspectionBudget = .standard,
  partAction: ((SeededRandom) -> Action)? = nil, wholeAction: (SeededRandom) -> WholeAction,
  wholeState: (SeededRandom) -> WholeState,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
  line: UInt = #line, column: UInt = #column
) {
  let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
  let laws = LawCheck(seed: seed, count: count, budget: budget, place: place)
  checkPrism(prism, partAction, wholeAction, laws)
  checkPath(path, wholeState, laws)

  let lifted = reducer.lift(action: prism, state: path)
  laws.check("“An action of another part changes nothing”") { random in
    let (action, state) = (wholeAction(random), wholeState(random))
    return prism.extract(action) == nil ? laws.difference(lifted, .identity, action, state) : nil
  }
  let byHand = Reducer<WholeAction, WholeState>.partial { action, state in
    guard let part = prism.extract(action) else { return false }
    return reducer.reduce(part, &state[keyPath: path])
  }
  laws.check("“The lifted reducer changes its part as the reducer does, and nothing else”") {
    laws.difference(lifted, byHand, wholeAction($0), wholeState($0))
  }
  let identity = Reducer<Action, State>.identity.lift(action: prism, state: path)
  laws.check("“Lifting identity gives identity”") {
    laws.difference(identity, .identity, wholeAction($0), wholeState($0))
  }
  let twice = (reducer <> reducer).lift(action: prism, state: path)
  laws.check("“Lifting a composition gives the composition of the lifted reducers”") {
    laws.difference(twice, lifted <> lifted, wholeAction($0), wholeState($0))
  }
}

private func checkPrism<Whole: Sendable, Part: Sendable>(
  _ prism: Prism<Whole, Part>, _ part: ((SeededRandom) -> Part)?, _ whole: (SeededRandom) -> Whole, _ laws: LawCheck
) {
  var found = 0
  laws.check("“If extract(whole) returns a part, embed(part) is the whole”") { random in
    let whole = whole(random)
    guard let part = prism.extract(whole) else { return nil }
    found += 1
    return laws.change(whole, prism.embed(part), of: "action")
  }
  laws.check("“extract(embed(part)) is the part”") { random in
    guard let part = part?(random) ?? prism.extract(whole(random)) else { return nil }
    guard let again = prism.extract(prism.embed(part)) else {
      return "  extract returns nil for the whole that embed makes of \(ValueText.describing(part))."
    }
    return laws.change(part, again, of: "action")
  }
  if found == 0 {
    FailureReporter().fail(
      "No generated action belongs to the part, so the laws were not checked. Let wholeAction generate such actions too.",
      at: laws.place)
  }
}

private func checkPath<Whole, Part>(
  _ path: any WritableKeyPath<Whole, Part> & Sendable, _ whole: (SeededRandom) -> Whole, _ laws: LawCheck
) {
  laws.check("“Writing the value that was read changes nothing”") { random in
    let before = whole(random)
    var after = before
    after[keyPath: path] = before[keyPath: path]
    return laws.change(before, after)
  }
  laws.check("“A read returns the value that was written last”") { random in
    let (first, second) = (whole(random)[keyPath: path], whole(random)[keyPath: path])
    var state = whole(random)
    state[keyPath: path] = first
    state[keyPath: path] = second
    return laws.change(second, state[keyPath: path])
  }
}
