@testable import ReeluxFavorites

/// All that can happen from a world on, each thing tried at each moment.
struct Exploration {
  /// How many different worlds were seen.
  private(set) var worlds = 0
  /// How many of them were ends.
  private(set) var ends = 0
  /// What was wrong first, and with what.
  private(set) var violation: String?
  /// How many of the ends are there with each set of last failures, to see that the interesting ones occur.
  private(set) var endsWithFailure = 0

  private var seen: Set<Node> = []

  private struct Node: Hashable {
    var world: World
    var toggles: [Int]
    var loads: Int

    /// Takes in a part only, enough to tell most worlds apart: taking in all would cost more than it saves.
    func hash(into hasher: inout Hasher) {
      hasher.combine(toggles.count)
      hasher.combine(loads)
      hasher.combine(world.messages)
      hasher.combine(world.state.bookkeeping.lastNumber)
      hasher.combine(world.server.count)
    }
  }

  /// - Parameters:
  ///   - toggles: The items that are still to be toggled, in this order, each at any moment.
  ///   - loads: How often the favourites are still to be loaded, at any moment.
  init(
    from world: World, toggles: [Int], loads: Int = 0, outcomes: [World.Outcome] = World.Outcome.allCases,
    fetchMayFail: Bool = false
  ) {
    var open = [Node(world: world, toggles: toggles, loads: loads)]
    while let node = open.popLast() {
      guard seen.insert(node).inserted else { continue }
      worlds += 1
      if let wrong = node.world.violation {
        violation = "\(wrong)\n\(node.world)"
        return
      }
      let before = open.count
      if let id = node.toggles.first {
        var next = node
        next.world.toggle(id)
        next.toggles.removeFirst()
        open.append(next)
      }
      if node.loads > 0 {
        var next = node
        next.world.dispatch(.load)
        next.loads -= 1
        open.append(next)
      }
      for index in node.world.messages.indices {
        for world in node.world.futures(of: index, outcomes: outcomes, fetchMayFail: fetchMayFail) {
          open.append(Node(world: world, toggles: node.toggles, loads: node.loads))
        }
      }
      guard open.count == before else { continue }
      ends += 1
      if !node.world.state.failed.isEmpty { endsWithFailure += 1 }
      if let wrong = node.world.finalViolation {
        violation = "\(wrong)\n\(node.world)"
        return
      }
    }
  }
}
