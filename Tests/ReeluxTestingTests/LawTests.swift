import ReeluxCore
import ReeluxTesting
import Testing

@Suite(.timeLimit(.minutes(15))) struct LawTests {
  enum Step: Sendable, Equatable { case up, down, name(String) }
  enum Whole: Sendable, Equatable { case step(Step), other(Int) }
  struct Part: Sendable, Equatable {
    var count = 0
    var name = ""
  }
  struct App: Sendable, Equatable {
    var part = Part()
    var writes = 0
    var noisy: Part {
      get { part }
      set {
        part = newValue
        writes += 1
      }
    }
    var deaf: Part {
      get { part }
      set { part.count = newValue.count }
    }
  }

  static let count = Reducer<Step, Part>.partial { action, state in
    switch action {
    case .up: state.count += 1
    case .down: state.count -= 1
    case .name: return false
    }
    return true
  }
  static let double = Reducer<Step, Part> { action, state in if action == .up { state.count *= 2 } }

  static func step(_ random: SeededRandom) -> Step {
    [.up, .down, .name("\(random.integer(in: 0...9))")][random.integer(in: 0...2)]
  }
  static func part(_ random: SeededRandom) -> Part {
    Part(count: random.integer(in: -9...9), name: "\(random.integer(in: 0...9))")
  }
  static func whole(_ random: SeededRandom) -> Whole {
    random.chance(0.5) ? .step(step(random)) : .other(random.integer(in: 0...9))
  }
  static func app(_ random: SeededRandom) -> App { App(part: part(random)) }

  static let prism = Prism<Whole, Step>(case: Whole.step) { if case .step(let it) = $0 { it } else { nil } }

  // MARK: Reducers

  @Test func reducersThatAreFunctionsPass() {
    assertReducerLaws(of: Self.count, Self.double, action: Self.step, state: Self.part)
  }

  @Test func aReducerWithAMemoryOfItsOwnFails() {
    let calls = DispatchRecorder<Step>()
    let reducer = Reducer<Step, Part> { action, state in
      calls.send(action)
      state.count = calls.actions.count
    }
    let reports = capturingFailures {
      assertReducerLaws(of: reducer, count: 1, action: { _ in .up }, state: { _ in Part() })
    }
    #expect(reports.map(\.line) == Array(repeating: #line - 2, count: 4))
    #expect(
      reports.first?.message == """
        “The same action and state give the same state” does not hold in case 1 of seed 1.

          action: .up
          state: Part(count: 0, name: "")

        The states of the two sides differ:

          count: 1 → 2
        """)
  }

  @Test func aReducerThatAcceptsEverySecondActionFails() {
    let calls = DispatchRecorder<Step>()
    let reducer = Reducer<Step, Part>.partial { action, _ in
      calls.send(action)
      return calls.actions.count.isMultiple(of: 2)
    }
    let reports = capturingFailures {
      assertReducerLaws(of: reducer, count: 1, action: { _ in .up }, state: { _ in Part() })
    }
    #expect(
      reports.first?.message == """
        “The same action and state give the same state” does not hold in case 1 of seed 1.

          action: .up
          state: Part(count: 0, name: "")

        One side accepts the action, the other one does not.
        """)
  }

  @Test func aReducerThatChangesWhatItDoesNotAcceptFails() {
    let reducer = Reducer<Step, Part>.partial { _, state in
      state.count += 1
      return false
    }
    let reports = capturingFailures {
      assertReducerLaws(of: reducer, action: { _ in .up }, state: { _ in Part() })
    }
    #expect(
      reports.map(\.message) == [
        """
        “An action that is not accepted leaves the state untouched” does not hold in case 1 of seed 1.

          action: .up

          count: 0 → 1
        """
      ])
  }

  // MARK: Lifts

  @Test func aPropertyAndACaseCanBeLiftedInto() {
    assertLiftLaws(
      of: Self.count, action: Self.prism, state: \App.part, wholeAction: Self.whole, wholeState: Self.app)
  }

  @Test func aSetterWithASideEffectFails() {
    let reports = capturingFailures {
      assertLiftLaws(
        of: Self.count, action: Self.prism, state: \App.noisy, wholeAction: Self.whole, wholeState: Self.app)
    }
    #expect(
      reports.first?.message == """
        “Writing the value that was read changes nothing” does not hold in case 1 of seed 1.

          writes: 0 → 1
        """)
  }

  @Test func aSetterThatForgetsFails() {
    let reports = capturingFailures {
      assertLiftLaws(
        of: Self.count, action: Self.prism, state: \App.deaf, wholeAction: Self.whole, wholeState: Self.app)
    }
    #expect(reports.count == 1)
    #expect(
      reports.first?.message.hasPrefix("“A read returns the value that was written last” does not hold") == true)
  }

  @Test func aPrismThatEmbedsSomethingElseFails() {
    let wrong = Prism<Whole, Step>(embed: { _ in .other(0) }, extract: Self.prism.extract)
    let reports = capturingFailures {
      assertLiftLaws(of: Self.count, action: wrong, state: \App.part, wholeAction: Self.whole, wholeState: Self.app)
    }
    #expect(reports.count == 2)
    #expect(reports.last?.message.hasPrefix("“extract(embed(part)) is the part” does not hold") == true)
  }

  @Test func generatorsWithoutAnActionOfThePartFail() {
    let reports = capturingFailures {
      assertLiftLaws(
        of: Self.count, action: Self.prism, state: \App.part, wholeAction: { _ in .other(1) }, wholeState: Self.app)
    }
    #expect(
      reports.map(\.message) == [
        "No generated action belongs to the part, so the laws were not checked. Let wholeAction generate such actions too."
      ])
  }

  @Test func theMessageOfAPrismShowsBothActions() {
    let wrong = Prism<Whole, Step>(embed: { _ in .other(0) }, extract: { _ in .up })
    let reports = capturingFailures {
      assertLiftLaws(
        of: Self.count, action: wrong, state: \App.part, count: 1, wholeAction: { _ in .step(.up) },
        wholeState: Self.app)
    }
    #expect(
      reports.first?.message == """
        “If extract(whole) returns a part, embed(part) is the whole” does not hold in case 1 of seed 1.

          action: .step(.up) → .other(0)
        """)
  }

  @Test func aPrismThatLosesPayloadsFailsWithGeneratedParts() {
    let lossy = Prism<Whole, Step>(embed: Whole.step) { if case .step(.up) = $0 { .up } else { nil } }
    let reports = capturingFailures {
      assertLiftLaws(
        of: Self.count, action: lossy, state: \App.part, partAction: { _ in .name("q") }, wholeAction: Self.whole,
        wholeState: Self.app)
    }
    #expect(
      reports.map(\.message) == [
        """
        “extract(embed(part)) is the part” does not hold in case 1 of seed 1.

          extract returns nil for the whole that embed makes of .name("q").
        """
      ])
  }

  @Test func generatedPartsMayBeOnlyInTheirGenerator() {
    assertLiftLaws(
      of: Self.count, action: Self.prism, state: \App.part, partAction: Self.step, wholeAction: Self.whole,
      wholeState: Self.app)
  }
}
