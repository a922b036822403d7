import ReeluxCore
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxFavorites

/// The file storage with killed processes and with several processes. Each child is a separate process.
@Suite(.serialized, .timeLimit(.minutes(60))) struct KillTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A storage that counts its steps and kills the process before one of them.
  static func storage(at path: String, killBefore number: Int) -> FavoritesStorage<String> {
    let done = Locked(0)
    return .file(
      at: path, lockTimeout: .seconds(10),
      steps: StorageSteps(part: 16) { _ in
        let isDue = done.withLock { done in
          done += 1
          return done == number
        }
        if isDue { kill(getpid(), SIGKILL) }
      })
  }

  /// One more than the number of steps for the two changes.
  static let stepsAndOne = 33

  @Test(.conformance(85), arguments: 1...stepsAndOne)
  func aKillBeforeAnyStepLosesNothingThatWasAcknowledged(step: Int) async throws {
    let storage = FavoritesStorage<String>.file(at: folder.file, date: { nil })
    try await storage.update { $0 = ["first", "second", "third"] }

    let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus, \.standardOutputContent]) {
      [path = folder.file as String, step = step as Int] in
      let storage = KillTests.storage(at: path, killBefore: step)
      try await storage.update { $0.append("fourth") }
      FileHandle.standardOutput.write(Data("acknowledged fourth\n".utf8))
      try await storage.update { $0.remove("first") }
      FileHandle.standardOutput.write(Data("acknowledged first\n".utf8))
      exit(1)
    }

    let isLast = step == Self.stepsAndOne
    #expect(result?.exitStatus == (isLast ? .exitCode(1) : .signal(SIGKILL)), "Every step is tried, and no more.")
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let read = try await storage.read()
    #expect(read.notices.isEmpty)
    let states: [OrderedIDs<String>] = [
      ["first", "second", "third"], ["first", "second", "third", "fourth"], ["second", "third", "fourth"],
    ]
    let acknowledged = output.contains("acknowledged first") ? 2 : output.contains("acknowledged fourth") ? 1 : 0
    let found = try #require(states.firstIndex(of: read.ids))
    #expect(found == acknowledged || found == acknowledged + 1)

    // The next process continues normally.
    try await storage.update { $0.append("fifth") }
    #expect(try await storage.read().ids == OrderedIDs(Array(states[found]) + ["fifth"]))
    #expect(try folder.names == ["favorites.json"])
  }

  @Test(.conformance(85)) func aKillWhileADamagedFileIsKeptAsideLosesNothing() async throws {
    for step in 1...20 {
      let folder = try TemporaryFolder()
      try folder.write("broken")
      await #expect(processExitsWith: .failure) { [path = folder.file as String, step = step as Int] in
        let storage = KillTests.storage(at: path, killBefore: step)
        _ = try await storage.read()
        try await storage.update { $0.append("x") }
        exit(1)
      }
      let next = FavoritesStorage<String>.file(at: folder.file)
      _ = try await next.read()
      try await next.update { $0.append("y") }
      #expect(try folder.text(of: "favorites.json.damaged-1") == "broken")
      #expect(try folder.names == ["favorites.json", "favorites.json.damaged-1"])
    }
  }

  @Test(.conformance(85)) func processesThatWriteAtOnceLoseNothingOfOneAnother() async throws {
    let children = 4
    let each = 20
    await withTaskGroup(of: Void.self) { group in
      for child in 0..<children {
        group.addTask { [folder] in
          await #expect(processExitsWith: .success) {
            [path = folder.file as String, child = child as Int, each = each as Int] in
            let storage = FavoritesStorage<String>.file(at: path)
            for number in 0..<each { try await storage.update { $0.append("\(child)-\(number)") } }
          }
        }
      }
    }
    let read = try await FavoritesStorage<String>.file(at: folder.file).read().ids
    #expect(read.count == children * each)
    for child in 0..<children {
      #expect(read.filter { $0.hasPrefix("\(child)-") } == (0..<each).map { "\(child)-\($0)" })
    }
  }

  @Test func storagesOfOneProcessLoseNothingOfOneAnother() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [path = folder.file] in
          try await FavoritesStorage<Int>.file(at: path).update { $0.append(number) }
        }
      }
      try await group.waitForAll()
    }
    let read = try await FavoritesStorage<Int>.file(at: folder.file).read().ids
    #expect(Set(read) == Set(0..<40))
  }

  /// Starts to add "slow". Returns when the lock is held.
  private func changeThatHoldsTheLock(until gate: DispatchSemaphore) async -> Task<Void, any Error> {
    let inside = AsyncStream<Void>.makeStream()
    let slow = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .zero,
      steps: StorageSteps { step in
        guard step == .readFile else { return }
        inside.continuation.yield()
        gate.wait()
      })
    let change = Task { try await slow.update { $0.append("slow") } }
    for await _ in inside.stream { break }
    return change
  }

  @Test func aLockThatIsNotGivenBackIsAnErrorThatNamesItsHolder() async throws {
    let gate = DispatchSemaphore(value: 0)
    let change = await changeThatHoldsTheLock(until: gate)
    await #expect {
      try await FavoritesStorage<String>.file(at: folder.file, lockTimeout: .milliseconds(1)).update { $0.append("x") }
    } throws: {
      "\($0)".hasPrefix("cannot change '\(folder.file)': '\(folder.file).lock' was not free for ")
    }
    gate.signal()
    try await change.value
    #expect(try await FavoritesStorage<String>.file(at: folder.file).read() == ["slow"])
  }

  @Test func aStorageThatFindsTheLockTakenWaitsForIt() async throws {
    let gate = DispatchSemaphore(value: 0)
    let first = await changeThatHoldsTheLock(until: gate)
    let waiting = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .seconds(60),
      steps: StorageSteps { if $0 == .lock { gate.signal() } })
    try await waiting.update { $0.append("patient") }
    try await first.value
    #expect(try await waiting.read() == ["slow", "patient"])
  }
}
