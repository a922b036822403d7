@testable import ReeluxFavorites

/// An exploration of everything that can happen after a world, with each event at each time.
struct Exploration {
  /// The number of different worlds.
  private(set) var worlds = 0
  /// The number of final worlds.
  private(set) var ends = 0
  /// The first violation and its world.
  private(set) var violation: String?
  /// The number of final worlds for each set of last failures, to check that the important ones occur.
  private(set) var endsWithFailure = 0

  private var seen: Set<Node> = []

  private struct Node: Hashable {
    var world: World
    var toggles: [Int]
    var loads: Int

    /// Hashes only a part, which is sufficient to distinguish most worlds. Hashing everything would take longer.
    func hash(into hasher: inout Hasher) {
      hasher.combine(toggles.count)
      hasher.combine(loads)
      hasher.combine(world.messages)
      hasher.combine(world.state.bookkeeping.lastNumber)
      hasher.combine(world.server.count)
    }
  }

  /// - Parameters:
  ///   - toggles: The remaining toggles of items in this order, each at any time.
  ///   - loads: The number of remaining loads, at any time.
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
