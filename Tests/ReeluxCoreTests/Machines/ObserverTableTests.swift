import Synchronization
import Testing

@testable import ReeluxCore

@Suite(.timeLimit(.minutes(15))) struct ObserverTableTests {
  private func observer(_ lower: Int, _ upper: Int) -> Observer<Int> {
    Observer(span: StateSpan(lower: lower, upper: upper), end: nil) { _ in }
  }

  private func affected(_ table: ObserverTable<Int>, _ lower: Int, _ upper: Int) -> [ObjectIdentifier] {
    table.affected(by: StateSpan(lower: lower, upper: upper)).map { ObjectIdentifier($0) }
  }

  @Test func onlyThoseWhoLookAtTheBytesAreAffectedInTheirOrder() {
    var table = ObserverTable<Int>()
    let all = [observer(8, 16), observer(0, 8), observer(0, .max), observer(16, 24)]
    for observer in all { table.append(observer) }
    #expect(affected(table, 0, 8) == [all[1], all[2]].map(ObjectIdentifier.init))
    #expect(affected(table, 8, 16) == [all[0], all[2]].map(ObjectIdentifier.init))
    #expect(affected(table, 4, 20) == all.map(ObjectIdentifier.init))
    #expect(affected(table, 24, 32) == [ObjectIdentifier(all[2])])
  }

  @Test func everyChangeOfTheListChangesItsVersion() {
    var table = ObserverTable<Int>()
    let first = table.version
    let observer = observer(0, 8)
    table.append(observer)
    let second = table.version
    #expect(second != first)
    #expect(table.removeCancelled().isEmpty)
    #expect(table.version == second)
    observer.isAlive.store(false, ordering: .relaxed)
    #expect(table.removeCancelled().count == 1)
    #expect(table.version != second)
    #expect(table.isEmpty)
  }
}
