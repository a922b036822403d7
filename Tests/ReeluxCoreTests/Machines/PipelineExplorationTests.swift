@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// All interleavings of small programs on ``PipelineMachine``, checked against the guarantees of a store.
@Suite(.timeLimit(.minutes(15))) struct PipelineExplorationTests {
  typealias World = PipelineWorld

  /// An explorer of every schedule of a world. A state that is reached in two ways is explored once.
  struct Explorer {
    private var known: [World: Double] = [:]
    var states: Int { known.count }

    /// Returns the number of schedules from here on.
    mutating func explore(_ world: World) throws -> Double {
      if let schedules = known[world] { return schedules }
      var schedules = 0.0
      let enabled = world.enabled
      if enabled.isEmpty {
        try world.checkEnd()
        schedules = 1
      }
      for thread in enabled {
        var next = world
        try next.step(thread)
        schedules += try explore(next)
      }
      known[world] = schedules
      return schedules
    }
  }

  /// Up to three threads with up to four operations each. There is one program for each way in which operations can
  /// interact.
  static let smallPrograms: [[[World.Operation]]] = [
    [[.dispatch(1)], [.dispatch(11)]],
    [[.dispatch(1)], [.read, .read]],
    [[.follow(1), .finish], [.dispatch(11)]],
    [[.dispatch(1)], [.read], [.read]],
    [[.dispatch(1), .dispatch(2), .dispatch(3), .dispatch(4)], [.read, .read]],
    [[.dispatch(1), .dispatch(2)], [.install, .remove]],
    [[.effect(1), .finish], [.release]],
  ]

  /// Programs that take minutes without optimisation.
  static let largePrograms: [[[World.Operation]]] = [
    [[.follow(1), .finish], [.read], [.release]],
    [[.dispatch(1)], [.dispatch(11)], [.install]],
    [[.follow(1), .finish], [.follow(11), .finish]],
    [[.dispatch(1)], [.dispatch(11)], [.dispatch(21)]],
    [[.dispatch(1), .dispatch(2), .read, .finish], [.dispatch(11)]],
    [[.dispatch(1), .dispatch(2)], [.subscribe, .cancel]],
    [[.dispatch(1), .finish], [.release], [.subscribe]],
    [[.effect(1), .finish], [.dispatch(11)]],
    [[.dispatch(1)], [.dispatch(11)], [.subscribe]],
    [[.dispatch(1)], [.read], [.subscribe, .cancel]],
    [[.dispatch(1), .read], [.dispatch(11)], [.read]],
  ]

  /// The program that shows a defect. `nil` if the small programs show it.
  static func program(for defect: World.Defect) -> [[World.Operation]]? {
    switch defect {
    case .enterIgnoresTheRunningThread, .takeComesBeforeAcknowledge, .handOverLeavesTheStoreIdle, .handOverMakesNoTask:
      [[.dispatch(1)], [.dispatch(11)], [.dispatch(21)]]
    case .reducerPerformsNoReads: [[.dispatch(1), .read], [.dispatch(11)], [.read]]
    case .effectEndsBeforeItsAnswerCounts: [[.effect(1), .finish], [.dispatch(11)]]
    case .cancelOnlyQueues: [[.dispatch(1), .dispatch(2)], [.subscribe, .cancel]]
    case .joinMissesAChange: [[.dispatch(1)], [.dispatch(11)], [.subscribe]]
    case .closingPerformsNoReads: [[.dispatch(1), .finish], [.release], [.subscribe]]
    case .startIsNotLookedAtAgain: [[.dispatch(1), .dispatch(2)], [.install, .remove]]
    default: nil
    }
  }

  @Test(.conformance(8), .conformance(9), .conformance(11), .conformance(12), .conformance(55))
  func everyInterleavingOfSmallProgramsKeepsThePromises() throws {
    var states = 0
    var schedules = 0.0
    let programs = Self.smallPrograms + (isThorough ? Self.largePrograms : [])
    for program in programs {
      var explorer = Explorer()
      do {
        schedules += try explorer.explore(World(program))
      } catch {
        Issue.record("\(program): \(error)")
      }
      states += explorer.states
    }
    print("exploration: \(programs.count) programs, \(states) states, \(schedules) schedules")
    #expect(schedules >= 100_000)
  }

  @Test(arguments: World.Defect.allCases)
  func aDefectIsFound(defect: World.Defect) {
    var states = 0
    for program in Self.program(for: defect).map({ [$0] }) ?? Self.smallPrograms {
      var explorer = Explorer()
      do {
        _ = try explorer.explore(World(program, defect: defect))
      } catch {
        print("exploration: \(defect.rawValue) found in \(program): \(error)")
        return
      }
      states += explorer.states
    }
    Issue.record("\(defect.rawValue) was not found in \(states) states")
  }
}
