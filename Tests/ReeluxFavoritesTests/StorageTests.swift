import ReeluxCore
import Foundation
import Testing

@testable import ReeluxFavorites

/// The file storage in one process.
@Suite(.timeLimit(.minutes(15))) struct StorageTests {
  let folder: TemporaryFolder
  let storage: FavoritesStorage<String>

  init() throws {
    folder = try TemporaryFolder()
    storage = .file(at: folder.file, date: { nil })
  }

  @Test func whatWasKeptIsReadInTheOrderOfAddition() async throws {
    for id in ["c", "a", "b"] { try await storage.update { $0.append(id) } }
    try await storage.update { $0.remove("a") }
    let read = try await FavoritesStorage<String>.file(at: folder.file, date: { nil }).read()
    #expect(read == ["c", "b"])
  }

  @Test func theFileIsJSONWithASchemaNumber() async throws {
    try await storage.update { $0.append("b/ü") }
    #expect(try folder.text() == "{\n  \"favorites\" : [\n    \"b/ü\"\n  ],\n  \"schema\" : 1\n}\n")
  }

  @Test func readingCreatesNothing() async throws {
    let nowhere = FavoritesStorage<String>.file(at: folder.path + "/not/there/favorites.json", date: { nil })
    #expect(try await nowhere.read() == [])
    #expect(try await storage.read() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func theFirstChangeCreatesTheFoldersThatAreMissing() async throws {
    let deep = FavoritesStorage<String>.file(at: folder.path + "/a/b/favorites.json", date: { nil })
    try await deep.update { $0.append("x") }
    #expect(try await deep.read() == ["x"])
  }

  @Test func aChangeIsSyncedBeforeItTakesTheNameAndTheFolderBeforeItIsAcknowledged() async throws {
    let seen = Locked<[StorageSteps.Step]>([])
    let watched = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .zero, steps: StorageSteps { step in seen.withLock { $0.append(step) } })
    try await watched.update { $0.append("x") }
    #expect(
      seen.withLock { $0 } == [
        .createFolder, .lock, .readFile, .removeLeftovers, .createTemporary, .writePart, .syncTemporary, .rename,
        .syncFolder, .unlock, .acknowledge,
      ])
  }

  @Test(arguments: StorageSteps.Step.allCases.filter { $0 != .keepAside })
  func aStepThatFailsLeavesTheFileWholeAndSaysSo(step: StorageSteps.Step) async throws {
    try await storage.update { $0.append("kept") }
    let failing = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .zero,
      steps: StorageSteps { if $0 == step { throw FavoritesFailure(.storage, "no space") } })
    await #expect(throws: FavoritesFailure(.storage, "no space")) { try await failing.update { $0.append("new") } }
    let kept = try await storage.read().ids
    #expect(kept == ["kept"] || kept == ["kept", "new"])
    try await storage.update { $0.append("after") }
    #expect(try await storage.read().ids.contains("after"))
    #expect(try folder.names == ["favorites.json"])
  }

  @Test func temporaryFilesOfKilledProcessesAreRemoved() async throws {
    try folder.write("half", to: "favorites.json.reelux-tmp-123")
    let others = [
      "another.json.reelux-tmp-1", "favourite.json.reelux-tmp-1", "favorites.json.tmp", "favorites.json.tmp-123",
      "favorites.json.reelux-tmp-",
      "favorites.json.reelux-tmp-1b",
      "favorites.json.reelux-tmp-notes", "favorites.json.reelux-tmp-٣",
    ]
    for name in others { try folder.write("other", to: name) }
    try await storage.update { $0.append("x") }
    #expect(try folder.names == (others + ["favorites.json"]).sorted())
  }

  @Test func temporaryFilesAreFoundAmongThousandsOfFiles() async throws {
    for number in 0..<3_000 { try folder.write("", to: "\(number)") }
    try folder.write("half", to: "favorites.json.reelux-tmp-123")
    try await storage.update { $0.append("x") }
    #expect(try folder.names.count == 3_001)
    #expect(try !folder.names.contains("favorites.json.reelux-tmp-123"))
  }

  @Test func aSymbolicLinkStaysOneAndWhatItLeadsToIsChanged() async throws {
    try await storage.update { $0.append("x") }
    let link = folder.path + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file)
    try await FavoritesStorage<String>.file(at: link, date: { nil }).update { $0.append("y") }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file)
    #expect(try await storage.read() == ["x", "y"])
  }

  @Test func aPlaceThatCannotBeWrittenIsNamedWithTheReason() async throws {
    try folder.write("", to: "plain")
    let path = folder.path + "/plain/sub/favorites.json"
    await #expect {
      try await FavoritesStorage<String>.file(at: path, date: { nil }).update { $0.append("x") }
    } throws: { error in
      let failure = FavoritesFailure(error)
      return failure.kind == .storage && failure.reason.contains(folder.path + "/plain")
        && failure.reason.hasSuffix("Not a directory")
    }
  }

  @Test(.disabled(if: getuid() == 0, "the superuser may write everywhere"))
  func aFolderWithoutPermissionIsNamedWithTheReason() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    await #expect {
      try await storage.update { $0.append("x") }
    } throws: {
      "\($0)" == "cannot lock '\(folder.file).lock': Permission denied"
    }
  }

  @Test func aFolderInPlaceOfTheFileIsNamedWithTheReason() async throws {
    try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
    await #expect {
      try await storage.read()
    } throws: {
      "\($0)" == "cannot read '\(folder.file)': Is a directory"
    }
  }

  @Test func anyCodableIDIsKept() async throws {
    struct Place: Hashable, Codable, Sendable { var x, y: Int }
    let places = FavoritesStorage<Place>.file(at: folder.file, date: { nil })
    try await places.update { $0.append(Place(x: 1, y: 2)) }
    #expect(try await places.read() == [Place(x: 1, y: 2)])
  }

  @Test func anIDThatJSONCannotSayIsAnErrorAndChangesNothing() async throws {
    let numbers = FavoritesStorage<Double>.file(at: folder.file, date: { nil })
    try await numbers.update { $0.append(1) }
    await #expect {
      try await numbers.update { $0.append(.infinity) }
    } throws: {
      FavoritesFailure($0).kind == .storage
    }
    #expect(try await numbers.read() == [1])
    #expect(try folder.names == ["favorites.json"])
  }

  @Test func aChangeThatFailsLeavesNoTemporaryFile() async throws {
    struct Full: Error {}
    try await storage.update { $0.append("x") }
    let full = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .seconds(10),
      steps: StorageSteps { step in if step == .syncTemporary { throw Full() } })
    await #expect(throws: (any Error).self) { try await full.update { $0.append("y") } }
    #expect(try folder.names == ["favorites.json"])
    #expect(try await storage.read() == ["x"])
  }

  @Test func aFileThatCannotBeReplacedIsAnError() async throws {
    let blocked = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .seconds(10),
      steps: StorageSteps { [file = folder.file] step in
        guard step == .rename else { return }
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      })
    await #expect(throws: (any Error).self) { try await blocked.update { $0.append("x") } }
    #expect(try folder.names == ["favorites.json"])
  }
}
