import Foundation
import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// Paths and files as they occur in practice.
@Suite(.timeLimit(.minutes(15))) struct FilePathTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func storage(_ path: String? = nil) -> FavoritesStorage<String> {
    .file(at: path ?? folder.file, lockTimeout: .seconds(5), date: { nil })
  }

  func reason(_ work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch {
      let failure = FavoritesFailure(error)
      return failure.kind == .storage ? failure.reason : "\(failure.kind): \(failure.reason)"
    }
  }

  @Test(.conformance(115)) func favoritesAreKeptInAFileWithoutAServer() async throws {
    let api = FavoritesAPI<String>.stored(in: .file(at: folder.file, date: { 1_795_262_400 }))
    let store = Store(
      initialState: FavoritesState<String>(),
      feature: .favorites(api: api, policy: FavoritesPolicy(batch: 10, timeLimit: nil)))
    await store.dispatch(.setAll(["b", "a", "c"], isFavorite: true)).finish()
    await store.dispatch(.remove("a")).finish()
    #expect(store.state.date(of: "b") == 1_795_262_400)
    let next = Store(
      initialState: FavoritesState<String>(), feature: .favorites(api: api, policy: FavoritesPolicy(timeLimit: nil)))
    await next.dispatch(.load).finish()
    #expect(next.state.ids == ["b", "c"])
    #expect(next.state.date(of: "c") == 1_795_262_400)
    #expect(next.state.date(of: "a") == nil)
  }

  /// Root may read every folder.
  @Test(.conformance(115), .enabled(if: geteuid() != 0)) func aFolderThatMayNotBeReadIsChangedAndRead() async throws {
    try await storage().update { $0.append("a") }
    unsafe #expect(chmod(folder.path, 0o300) == 0)
    defer { unsafe chmod(folder.path, 0o700) }
    try await storage().update { $0.append("b") }
    #expect(try await storage().read().ids == ["a", "b"])
  }

  @Test(.conformance(115), .timeLimit(.minutes(15)))
  func aFIFOIsNeverOpened() async throws {
    unsafe #expect(mkfifo(folder.file, 0o600) == 0)
    #expect(await reason { _ = try await storage().read() } == "cannot read '\(folder.file)': it is a FIFO, not a file")
    #expect(
      await reason { try await storage().update { $0.append("x") } }
        == "cannot read '\(folder.file)': it is a FIFO, not a file")
    #expect(try folder.names == ["favorites.json"])
  }

  @Test(.conformance(115), .timeLimit(.minutes(15)))
  func aLinkToADeviceOrAFIFOIsNeverFollowed() async throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: "/dev/zero")
    #expect(await reason { _ = try await storage().read() } == "cannot read '/dev/zero': it is a device, not a file")
    let fifo = folder.path + "/fifo"
    unsafe #expect(mkfifo(fifo, 0o600) == 0)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "fifo")
    #expect(await reason { _ = try await storage(link).read() }?.hasSuffix("it is a FIFO, not a file") == true)
    // A change does not create a lock beside the target either.
    #expect(await reason { try await storage(link).update { $0.append("x") } }?.hasSuffix("not a file") == true)
    #expect(!FileManager.default.fileExists(atPath: fifo + ".lock"))
  }

  @Test(.conformance(115), .timeLimit(.minutes(15)))
  func aLockThatIsNoFileIsNeverOpened() async throws {
    unsafe #expect(mkfifo(folder.file + ".lock", 0o600) == 0)
    #expect(
      await reason { try await storage().update { $0.append("x") } }
        == "cannot lock '\(folder.file).lock': it is a FIFO, not a file")
    unsafe unlink(folder.file + ".lock")
    try folder.write("precious", to: "other")
    try FileManager.default.createSymbolicLink(atPath: folder.file + ".lock", withDestinationPath: "other")
    #expect(
      await reason { try await storage().update { $0.append("x") } }
        == "cannot lock '\(folder.file).lock': it is a symbolic link, not a file")
    #expect(try folder.text(of: "other") == "precious")
  }

  @Test(.conformance(115)) func theLockFileHasTheNumberOfTheLastProcess() async throws {
    try folder.write("123456789\n", to: "favorites.json.lock")
    try await storage().update { $0.append("a") }
    #expect(try folder.text(of: "favorites.json.lock") == "\(getpid())\n")
  }

  @Test(.conformance(115)) func aLockFileWhoseNameIsTooLongIsAnError() async throws {
    let path = folder.path + "/" + String(repeating: "x", count: 252)
    #expect(
      await reason { try await storage(path).update { $0.append("a") } }
        == "cannot lock '\(path).lock': File name too long")
    #expect(try folder.names == [])
  }

  @Test(.conformance(115)) func aLockFileThatHoldsSomethingElseIsNotWritten() async throws {
    for text in ["my notes", "123 apples and many more pears"] {
      try folder.write(text, to: "favorites.json.lock")
      try await storage().update { $0.append("x") }
      #expect(try folder.text(of: "favorites.json.lock") == text)
    }
  }

  @Test(.conformance(115)) func aLeftOverLinkOfTheTemporaryNameIsNotFollowed() async throws {
    try folder.write("precious", to: "other")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.file).reelux-tmp-\(getpid())", withDestinationPath: "other")
    try await storage().update { $0.append("x") }
    #expect(try folder.text(of: "other") == "precious")
    #expect(try await storage().read() == ["x"])
  }

  @Test func temporaryFilesOfANameInAnotherNormalizationAreKept() async throws {
    let others = ["caf\u{E9}.json.reelux-tmp-12", "cafe\u{301}.json.reelux-tmp-2"]
    for name in others { try folder.write("", to: name) }
    try await storage(folder.path + "/cafe\u{301}.json").update { $0.append("x") }
    let names = try folder.names.map { Array($0.utf8) }
    #expect(others.map { names.contains(Array($0.utf8)) } == [true, false])
  }

  @Test(.conformance(115)) func aLinkWhoseTargetIsNotUTF8IsAnError() async throws {
    let target = Array("caf".utf8).map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xe9), 0]
    let isLinked = unsafe symlink(target, folder.file) == 0
    #expect(isLinked)
    let reason = "cannot use '\(folder.file)': the target of the symbolic link is not UTF-8"
    #expect(await self.reason { _ = try await storage().read() } == reason)
    #expect(await self.reason { try await storage().update { $0.append("x") } } == reason)
    #expect(try folder.names == ["favorites.json"])
  }

  @Test(.conformance(115), arguments: [0o600, 0o640, 0o666, 0o444] as [mode_t])
  func theFileKeepsItsMode(mode: mode_t) async throws {
    try await storage().update { $0.append("x") }
    unsafe #expect(chmod(folder.file, mode) == 0)
    try await storage().update { $0.append("y") }
    var status = stat()
    unsafe #expect(stat(folder.file, &status) == 0)
    #expect(status.st_mode & 0o7777 == mode)
    #expect(try await storage().read() == ["x", "y"])
  }

  @Test(.conformance(115), .enabled(if: geteuid() == 0, "only the superuser may give a file away"))
  func theFileKeepsItsOwner() async throws {
    try await storage().update { $0.append("x") }
    unsafe #expect(chown(folder.file, 12_345, 23_456) == 0)
    try await storage().update { $0.append("y") }
    var status = stat()
    unsafe #expect(stat(folder.file, &status) == 0)
    #expect(status.st_uid == 12_345)
    #expect(status.st_gid == 23_456)
  }

  @Test(.conformance(115)) func aDanglingLinkStaysOneAndItsTargetIsMade() async throws {
    let link = folder.path + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "deep/real.json")
    #expect(try await storage(link).read() == [])
    try await storage(link).update { $0.append("x") }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "deep/real.json")
    #expect(try await storage(folder.path + "/deep/real.json").read() == ["x"])
    #expect(try await storage(link).read() == ["x"])
  }

  @Test(.conformance(115), .timeLimit(.minutes(15))) func linksThatLeadToEachOtherAreAnError() async throws {
    for (name, target) in [("one", "two"), ("two", "one")] {
      try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }
    #expect(
      await reason { _ = try await storage(folder.path + "/one").read() }?
        .hasSuffix("its symbolic links form a circle") == true)
  }

  /// Swift treats a slash and a combining character after it as one character.
  @Test func aFolderWhoseNameBeginsWithACombiningCharacterIsCreated() async throws {
    for path in ["\(folder.path)/new/\u{301}x/y/favorites.json", "\(folder.path)/new/z/\u{FE0F}.json"] {
      try await storage(path).update { $0.append("a") }
      #expect(try await storage(path).read().ids == ["a"])
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(.conformance(115)) func aPathBelowAFileIsAnErrorAndNotEmpty() async throws {
    try folder.write("", to: "plain")
    let path = folder.path + "/plain/favorites.json"
    #expect(await reason { _ = try await storage(path).read() } == "cannot read '\(path)': Not a directory")
    #expect(await reason { try await storage(path).update { $0.append("x") } }?.hasSuffix("Not a directory") == true)
  }

  @Test(.conformance(115)) func unknownFieldsAreKept() async throws {
    try folder.write(
      """
      {"schema": 1, "favorites": ["a"], "theme": {"dark": true, "sizes": [1, 2.5, -3e2, 9007199254740993]},
       "sync": null, "name": "b/ü\\u0001"}
      """)
    try await storage().update { $0.append("x") }
    try await storage().update { $0.remove("a") }
    #expect(
      try folder.text() == """
        {
          "favorites" : [
            "x"
          ],
          "name" : "b/ü\\u0001",
          "schema" : 1,
          "sync" : null,
          "theme" : {
            "dark" : true,
            "sizes" : [
              1,
              2.5,
              -300,
              9007199254740993
            ]
          }
        }

        """)
  }

  @Test(.conformance(114)) func datesOfAdditionAreKept() async throws {
    let now = Locked(100.0)
    let storage = FavoritesStorage<String>.file(
      at: folder.file,
      date: {
        now.withLock { now in
          now += 1
          return now
        }
      })
    for id in ["a", "b", "a"] { try await storage.update { $0.append(id) } }
    #expect(try await storage.read().dates == ["a": 101, "b": 102])
    try await storage.update { $0.remove("a") }
    try await storage.update { $0.append("a") }
    #expect(try await storage.read() == FavoritesSnapshot(["b", "a"], dates: ["a": 103, "b": 102]))
  }

  @Test(.conformance(114)) func theDateOfAnItemThatIsNoFavoriteIsNotRead() async throws {
    try folder.write(#"{"dates":[{"date":5,"id":"a"},{"date":6,"id":"b"}],"favorites":["a"],"schema":1}"#)
    let storage = FavoritesStorage<String>.file(at: folder.file, date: { nil })
    #expect(try await storage.read() == FavoritesSnapshot(["a"], dates: ["a": 5]))
  }

  @Test func aRelativePathStaysWhereItWasWhenTheWorkingDirectoryChanges() {
    #expect(AtomicFile.absolute("/a/b") == "/a/b")
    #expect(AtomicFile.absolute("b.json") == FileManager.default.currentDirectoryPath + "/b.json")
  }

  @Test(.conformance(115)) func aNewFolderCanBeReadByItsUserOnly() async throws {
    let inner = folder.path + "/new/inner"
    try await storage(inner + "/favorites.json").update { $0.append("x") }
    for path in [folder.path + "/new", inner] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
  }
}
