import Synchronization
import Testing

@testable import ReeluxCore

@Suite(.timeLimit(.minutes(15))) struct ObserverTableTests {
  private func observer(_ lower: Int, _ upper: Int) -> Observer {
    Observer(span: StateSpan(lower: lower, upper: upper), end: {}) {}
  }

  private func affected(_ table: ObserverTable, _ lower: Int, _ upper: Int) -> [ObjectIdentifier] {
    let watchers = Watchers(of: StateSpan(lower: lower, upper: upper), in: table, hasFeedsOrParts: false)
    var ids: [ObjectIdentifier] = []
    watchers.observers.forEach { _, observer in ids.append(ObjectIdentifier(observer)) }
    return ids
  }

  @Test func onlyThoseWhoLookAtTheBytesAreAffectedInTheirOrder() {
    var table = ObserverTable()
    let all = [observer(8, 16), observer(0, 8), observer(0, .max), observer(16, 24)]
    for observer in all { table.append(observer) }
    #expect(affected(table, 0, 8) == [all[1], all[2]].map(ObjectIdentifier.init))
    #expect(affected(table, 8, 16) == [all[0], all[2]].map(ObjectIdentifier.init))
    #expect(affected(table, 4, 20) == all.map(ObjectIdentifier.init))
    #expect(affected(table, 24, 32) == [ObjectIdentifier(all[2])])
  }

  @Test func everyChangeOfTheListChangesItsVersion() {
    var table = ObserverTable()
    let first = table.version
    let observer = observer(0, 8)
    table.append(observer)
    let second = table.version
    #expect(second != first)
    #expect(table.removeCancelled().isEmpty)
    #expect(table.version == second)
    table.cancel(observer)
    #expect(table.removeCancelled().count == 1)
    #expect(table.version != second)
    #expect(table.observers.isEmpty)
  }

  @Test func cancelledObserversLeaveAndTheOthersKeepTheirOrder() {
    for count in 1...9 {
      for first in 0..<count {
        for second in 0..<count {
          var table = ObserverTable()
          let all = (0..<count).map { observer($0, $0 + 1) }
          for observer in all { table.append(observer) }
          for index in Set([first, second]) { table.cancel(all[index]) }
          let removed = table.removeCancelled()
          #expect(Set(removed.map { $0.span.lower }) == [first, second])
          #expect(table.observers.map { $0.span.lower } == (0..<count).filter { $0 != first && $0 != second })
        }
      }
    }
  }

  @Test func anObserverThatWasNeverAddedRemovesNoOther() {
    var table = ObserverTable()
    let (first, second) = (observer(0, 8), observer(8, 16))
    table.append(first)
    table.cancel(second)
    #expect(table.removeCancelled().count == 1)
    #expect(table.observers.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
  }
}
