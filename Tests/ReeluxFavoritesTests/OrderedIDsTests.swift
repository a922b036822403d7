import ReeluxCore
import Foundation
import Testing

@testable import ReeluxFavorites

@Suite(.timeLimit(.minutes(15))) struct OrderedIDsTests {
  @Test func idsKeepTheOrderOfTheirAddition() {
    let ids: OrderedIDs = [3, 1, 2]
    #expect(Array(ids) == [3, 1, 2])
    #expect(ids.first == 3)
    #expect(ids.count == 3)
  }

  @Test func anIdThatIsThereStaysWhereItIs() {
    var ids: OrderedIDs = [3, 1]
    let isNew = ids.append(3)
    #expect(!isNew)
    #expect(Array(ids) == [3, 1])
  }

  @Test func anIdThatIsRemovedAndAddedAgainGoesToTheEnd() {
    var ids: OrderedIDs = [3, 1, 2]
    let answers = [ids.remove(3), ids.remove(3)]
    #expect(answers == [true, false])
    #expect(ids.first == 1)
    ids.append(3)
    #expect(Array(ids) == [1, 2, 3])
  }

  @Test func holesOfRemovedIdsDoNotMatterForEqualityAndHash() {
    var ids: OrderedIDs = [9, 1, 8, 2]
    ids.remove(9)
    ids.remove(8)
    #expect(ids == [1, 2])
    #expect(ids != [2, 1])
    #expect(ids.hashValue == OrderedIDs([1, 2]).hashValue)
  }

  @Test(arguments: 0..<20) func agreesWithAnArrayOnRandomChanges(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var ids = OrderedIDs<Int>()
    var model: [Int] = []
    for _ in 0..<2_000 {
      let id = Int.random(in: 0..<60, using: &random)
      if Bool.random(using: &random) {
        let isNew = ids.append(id)
        #expect(isNew == !model.contains(id))
        if !model.contains(id) { model.append(id) }
      } else {
        let wasThere = ids.remove(id)
        #expect(wasThere == model.contains(id))
        model.removeAll { $0 == id }
      }
      #expect(ids.first == model.first)
      #expect(ids.count == model.count)
      #expect(ids.slots.count <= 2 * ids.count + 16)
    }
    #expect(Array(ids) == model)
  }

  @Test func isShownAsAListOfIdsAndNeverAsSlots() {
    var ids: OrderedIDs = ["b", "x", "a"]
    ids.remove("x")
    let mirror = Mirror(reflecting: ids)
    #expect(mirror.displayStyle == .collection)
    #expect(mirror.children.map { $0.value as? String } == ["b", "a"])
    #expect(mirror.children.allSatisfy { $0.label == nil })
    var text = ""
    dump(FavoritesState(confirmed: ids), to: &text)
    #expect(!text.contains("slots") && !text.contains("positions"))
  }

  @Test func isWrittenAsAnArrayAndReadWithoutDuplicates() throws {
    var ids: OrderedIDs = ["b", "x", "a"]
    ids.remove("x")
    #expect(String(decoding: try JSONEncoder().encode(ids), as: UTF8.self) == #"["b","a"]"#)
    let read = try JSONDecoder().decode(OrderedIDs<String>.self, from: Data(#"["b","a","b"]"#.utf8))
    #expect(read == ["b", "a"])
  }

  @Test func aQueueOfAHundredThousandIsTakenFromTheFrontInLinearTime() {
    var ids = OrderedIDs(0..<100_000)
    var sum = 0
    while let first = ids.first {
      sum += first
      ids.remove(first)
    }
    #expect(sum == 100_000 * 99_999 / 2)
  }
}
