import Testing

@testable import ReeluxCore

@Suite(.timeLimit(.minutes(15))) struct EnumCaseTests {
  enum Plain { case first, second, third }
  enum Mixed { case number(Int), text(String), none, object(Object), flag(Bool) }
  enum Generic<Value> { case value(Value), list([Value]), empty }
  indirect enum Tree { case leaf(Int), node(Tree, Tree) }
  enum Single { case only(String) }
  final class Object {}
  protocol Open {}
  struct Opened: Open {}

  private func number<Value>(_ value: Value) -> Int? {
    EnumCase<Value>().number(of: value)
  }

  @Test func casesWithoutPayloadsHaveDifferentNumbers() {
    #expect(Set([Plain.first, .second, .third].map(number)).count == 3)
  }

  @Test func theNumberDependsOnTheCaseAndNotOnThePayload() {
    let cases: [[Mixed]] = [
      [.number(1), .number(-7)], [.text(""), .text("a text that is longer than sixteen bytes")], [.none],
      [.object(Object()), .object(Object())], [.flag(true), .flag(false)],
    ]
    let numbers = cases.map { Set($0.map(number)) }
    #expect(numbers.allSatisfy { $0.count == 1 })
    #expect(Set(numbers).count == cases.count)
  }

  @Test func genericIndirectAndSingleCasesAreRead() {
    #expect(number(Generic.value(1)) != number(Generic<Int>.list([])))
    #expect(number(Generic.value("a")) == number(Generic.value("b")))
    #expect(number(Tree.leaf(1)) != number(Tree.node(.leaf(1), .leaf(2))))
    #expect(number(Tree.leaf(1)) == number(Tree.leaf(2)))
    #expect(number(Single.only("a")) == number(Single.only("b")))
  }

  @Test func typesThatAreNotEnumsHaveNoNumber() {
    #expect(number(1) == nil)
    #expect(number("text") == nil)
    #expect(number(Object()) == nil)
    #expect(number(Opened() as any Open) == nil)
  }
}

#if compiler(>=6.3)
  /// An enum of C, whose raw values are its numbers.
  @c enum CCommand: Int32 { case stop = -1, go = 0, far = 1_000_000_000 }

  extension EnumCaseTests {
    @Test func aStoreTakesActionsOfAnEnumOfC() {
      let store = Store(
        initialState: [Int32](),
        feature: Feature<CCommand, [Int32]> {
          Reducer(Prism(case: .stop)) { _, seen in seen.append(-1) }
          Reducer(Prism(case: .far)) { _, seen in seen.append(1) }
          Reducer { action, seen in seen.append(action.rawValue) }
        })
      for action in [CCommand.stop, .go, .far, .stop] { store.dispatch(action) }
      #expect(store.state == [-1, -1, 0, 1, 1_000_000_000, -1, -1])
    }
  }
#endif
