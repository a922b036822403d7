import ReeluxCore
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxFavorites

/// Files that this program did not write, or whose content has changed.
@Suite(.timeLimit(.minutes(15))) struct DamagedFileTests {
  let folder: TemporaryFolder
  let storage: FavoritesStorage<String>

  private static let notJSON = "it is not valid JSON, it is incomplete, or one of its numbers does not fit"

  init() throws {
    folder = try TemporaryFolder()
    storage = .file(at: folder.file, date: { nil })
  }

  @Test(
    .conformance(85),
    arguments: [
      "", " ", "{", "null", "[]", "{}", "\u{0}\u{0}\u{0}", "favorites", #"{"schema":1}"#, #"{"favorites":["a"]}"#,
      #"{"schema":"1","favorites":[]}"#, #"{"schema":0,"favorites":[]}"#, #"{"schema":-7,"favorites":[]}"#,
      #"{"schema":1,"favorites":{}}"#, #"{"schema":1,"favorites":[1]}"#, #"{"schema":1,"favorites":["a"]"#,
      #"{"schema":1,"favorites":[null]}"#, #"{"schema":1e99,"favorites":[]}"#,
    ])
  func aDamagedFileIsToldByReadsAndKeptAsideByTheFirstChange(text: String) async throws {
    try folder.write(text)
    for _ in 1...2 {
      let read = try await storage.read()
      #expect(read.ids.isEmpty)
      #expect(read.notices.map(\.kind) == [.damaged])
      #expect(read.notices.first?.message.contains("\(folder.file).damaged-1") == true)
      #expect(try folder.names == ["favorites.json"])
      #expect(try folder.text() == text)
    }
    try await storage.update { $0.append("x") }
    #expect(try folder.names == ["favorites.json", "favorites.json.damaged-1"])
    #expect(try folder.text(of: "favorites.json.damaged-1") == text)
    #expect(try await storage.read() == ["x"])
  }

  @Test(.conformance(85)) func aChangeOfNothingDoesNotRenameADamagedFile() async throws {
    try folder.write("{")
    #expect(try await storage.read().notices.count == 1)
    try await storage.update { $0.remove("x") }
    #expect(try folder.names.filter { !$0.hasSuffix(".lock") } == ["favorites.json"])
    #expect(try await storage.read().notices.count == 1)
    try await storage.update { $0.append("x") }
    #expect(try folder.text(of: "favorites.json.damaged-1") == "{")
  }

  @Test(arguments: [
    (#"{"schema":1,"favorites":["x"]}"#, "the value at 'favorites[0]' cannot be read"),
    (#"{"schema":1,"favorites":[1]}"#, "the value at 'favorites[0]' has the wrong type"),
    (#"{"schema":1,"favorites":[null]}"#, "the value at 'favorites[0]' has the wrong type"),
    (#"{"schema":1}"#, "the key 'favorites' is missing"),
    (#"{"schema":1,"favorites":[}"#, notJSON), (#"{"schema":1.5,"favorites":[]}"#, notJSON),
    ("[]", "it is not a JSON object"), ("", "it is empty"),
  ])
  func theReasonNamesThePlaceOfTheDamage(text: String, reason: String) async throws {
    try folder.write(text)
    let read = try await FavoritesStorage<UUID>.file(at: folder.file, date: { nil }).read()
    #expect(read.notices.first?.message.contains("(\(reason))") == true)
  }

  @Test(.conformance(85)) func aNewerFileIsNeitherReadNorChangedNorRenamed() async throws {
    let text = #"{"schema":2,"favorites":{"lists":[]}}"#
    try folder.write(text)
    for change in [false, true] {
      await #expect {
        if change { try await storage.update { $0.append("x") } } else { _ = try await storage.read() }
      } throws: {
        FavoritesFailure($0).kind == .storage && "\($0)".contains("newer version (schema 2)")
      }
    }
    #expect(try folder.names == ["favorites.json"])
    #expect(try folder.text() == text)
  }

  @Test(.conformance(85)) func whatWasKeptAsideEarlierIsNeverOverwritten() async throws {
    for round in 1...3 {
      try folder.write("broken \(round)")
      _ = try await storage.read()
      try await storage.update { $0.append("x") }
    }
    for round in 1...3 { #expect(try folder.text(of: "favorites.json.damaged-\(round)") == "broken \(round)") }
  }

  @Test(.conformance(85)) func everyTruncationIsSeenAndLosesNothing() async throws {
    for id in ["metropolis-1927", "nosferatu-1922"] { try await storage.update { $0.append(id) } }
    let whole = try folder.text()
    // The last byte is the line break after the object.
    for length in 0..<(whole.utf8.count - 1) {
      let text = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
      try folder.write(text)
      let read = try await storage.read()
      #expect(read.notices.count == 1)
      #expect(try folder.text() == text)
      try await storage.update { $0.append("x") }
      #expect(try folder.text(of: "favorites.json.damaged-\(length + 1)") == text)
    }
  }

  @Test(.conformance(85)) func aFileThatIsDamagedAgainAfterAChangeIsReportedAgain() async throws {
    try folder.write("broken")
    _ = try await storage.read()
    try await storage.update { $0.append("x") }
    try folder.write("broken again")
    await #expect {
      try await storage.update { $0.append("y") }
    } throws: {
      FavoritesFailure($0).kind == .conflict
    }
    #expect(try folder.text() == "broken again")
    #expect(try folder.names == ["favorites.json", "favorites.json.damaged-1"])
  }

  @Test func aChangeThatMeetsADamagedFileIsAConflictUntilItIsRead() async throws {
    try folder.write("broken")
    await #expect {
      try await storage.update { $0.append("x") }
    } throws: {
      FavoritesFailure($0).kind == .conflict && "\($0)".contains("favorites.json.damaged-1")
    }
    #expect(try folder.text() == "broken")
    let read = try await storage.read()
    #expect(read.ids.isEmpty)
    #expect(read.notices.count == 1)
    try await storage.update { $0.append("x") }
    #expect(try await storage.read() == ["x"])
    #expect(try folder.text(of: "favorites.json.damaged-1") == "broken")
  }

  @Test(.conformance(85)) func aChangeThatFindsTheFileRemovedIsAConflictUntilItIsRead() async throws {
    for id in ["a", "b"] { try await storage.update { $0.append(id) } }
    for round in 1...2 {
      try FileManager.default.removeItem(atPath: folder.file)
      for id in ["x", "y"] {
        await #expect {
          try await storage.update { $0.append(id) }
        } throws: {
          FavoritesFailure($0).kind == .conflict && "\($0)".contains("'\(folder.file)' was removed")
        }
      }
      #expect(try folder.names == [])
      #expect(try await storage.read() == [])
      try await storage.update { $0.append("\(round)") }
      #expect(try await storage.read() == FavoritesSnapshot(["\(round)"]))
    }
    // Another storage has not seen the file.
    try FileManager.default.removeItem(atPath: folder.file)
    try await FavoritesStorage<String>.file(at: folder.file, date: { nil }).update { $0.append("x") }
    #expect(try await storage.read() == ["x"])
  }

  @Test(.conformance(85)) func noChangeIsMadeUntilAReadHasReportedTheDamagedFile() async throws {
    for round in 1...2 {
      try folder.write("broken")
      // Both were wanted while the favourites of the damaged file were shown.
      for id in ["x", "y"] {
        await #expect {
          try await storage.update { $0.append(id) }
        } throws: {
          FavoritesFailure($0).kind == .conflict && "\($0)".contains("favorites.json.damaged-\(round)")
        }
      }
      #expect(try folder.text() == "broken")
      #expect(try await storage.read().notices.count == 1)
      try await storage.update { $0.append("y") }
      try await storage.update { $0.append("y") }
      #expect(try await storage.read() == ["y"])
    }
  }

  @Test(.conformance(85)) func aFileIsKeptAsideAlthoughItsFolderCannotBeSynced() async throws {
    try folder.write("broken")
    let storage = FavoritesStorage<String>.file(
      at: folder.file, lockTimeout: .seconds(5),
      steps: StorageSteps { if $0 == .syncFolder { throw FavoritesFailure(.storage, "cannot sync the folder") } })
    #expect(try await storage.read().notices.count == 1)
    await #expect(throws: FavoritesFailure(.storage, "cannot sync the folder")) {
      try await storage.update { $0.append("x") }
    }
    #expect(try folder.names == ["favorites.json", "favorites.json.damaged-1"])
    #expect(try folder.text(of: "favorites.json.damaged-1") == "broken")
  }

  @Test(arguments: ["1e400", "[1,{\"b\":-1e200}]"])
  func aFileWithANumberThatCannotBeKeptIsReadAndNotChanged(value: String) async throws {
    let text = #"{"schema":1,"favorites":["a"],"stats":\#(value),"zoom":1}"#
    try folder.write(text)
    #expect(try await storage.read() == ["a"])
    try await storage.update { $0.append("a") }
    for _ in 1...2 {
      await #expect {
        try await storage.update { $0.append("x") }
      } throws: {
        FavoritesFailure($0).kind == .storage && "\($0)".contains("the field 'stats'")
      }
    }
    #expect(try folder.text() == text)
    #expect(try folder.names == ["favorites.json"])
  }

  @Test func duplicatesInAFileCountOnce() async throws {
    try folder.write(#"{"schema":1,"favorites":["b","a","b"]}"#)
    #expect(try await storage.read() == ["b", "a"])
  }

  @Test(arguments: 0..<200) func randomChangesOfBytesNeverTrapAndNeverLoseTheFile(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    try await storage.update { $0 = ["one", "two", "three"] }
    var bytes = Array(try folder.text().utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file))
    // A read fails if the schema has become a later one.
    let read = try? await storage.read()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == Data(bytes))
    _ = try? await storage.update { $0.append("four") }
    let aside = try folder.names.first { $0 != "favorites.json" }
    #expect((aside == nil) == (read?.notices.isEmpty ?? true))
    if aside == nil, read != nil { return }
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + (aside ?? "favorites.json")))
    #expect(kept == Data(bytes))
  }
}
