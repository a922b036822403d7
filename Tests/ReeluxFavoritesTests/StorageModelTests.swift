import Foundation
import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// Random changes, reads and damages of one file with two storages, compared with a model of the documented behaviour.
@Suite(.timeLimit(.minutes(15))) struct StorageModelTests {
  /// What the file should be.
  enum File {
    case missing
    case favorites([String])
    case damaged(String)
    case newer(String)
  }

  @Test(.conformance(85), arguments: 1...30) func twoStoragesOfOneFileBehaveAsDocumented(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let storages = (0..<2).map { _ in FavoritesStorage<String>.file(at: folder.file, date: { nil }) }
    var file = File.missing
    /// Whether the last read of a storage reported damage, and the storage has changed nothing since.
    var isReported = [false, false]
    /// Whether a storage has last found or left favourites.
    var isFound = [false, false]
    var kept: [String] = []
    for _ in 0..<20 {
      let index = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let id = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
        let isFavorite = Int.random(in: 0..<3, using: &random) > 0
        let failure = await failure {
          try await storages[index].update { if isFavorite { $0.append(id) } else { $0.remove(id) } }
        }
        var ids: [String] = []
        switch file {
        case .favorites(let before): ids = before
        case .missing where isFound[index]:
          #expect(failure?.kind == .conflict)
          continue
        case .missing: break
        case .damaged where isReported[index] && !isFavorite:
          // A change of nothing does not rename the file.
          #expect(failure == nil)
          continue
        case .damaged(let text) where isReported[index]: kept.append(text)
        case .damaged:
          #expect(failure?.kind == .conflict)
          continue
        case .newer:
          #expect(failure?.kind == .storage)
          continue
        }
        #expect(failure == nil)
        ids.removeAll { $0 == id && !isFavorite }
        if isFavorite, !ids.contains(id) { ids.append(id) }
        isReported[index] = false
        isFound[index] = true
        // No file is written for a change of nothing.
        if case .favorites = file { file = .favorites(ids) } else { file = ids.isEmpty ? .missing : .favorites(ids) }
        if case .missing = file { isFound[index] = false }
      case 5..<8:
        var read: FavoritesSnapshot<String>?
        let failure = await failure { read = try await storages[index].read() }
        switch file {
        case .missing: #expect(read == [])
        case .favorites(let ids): #expect(read == FavoritesSnapshot(ids))
        case .damaged: #expect(read?.ids == [] && read?.notices.map(\.kind) == [.damaged])
        case .newer: #expect(failure?.kind == .storage)
        }
        if failure == nil {
          isReported[index] = if case .damaged = file { true } else { false }
          isFound[index] = if case .favorites = file { true } else { false }
        }
      case 8:
        try? FileManager.default.removeItem(atPath: folder.file)
        file = .missing
      default:
        let text =
          ["", "[", #"{"schema":1}"#, #"{"schema":2}"#, #"{"schema":1,"favorites":["b"]}"#]
          .randomElement(using: &random) ?? ""
        try folder.write(text)
        file = text.contains("2") ? .newer(text) : text.contains("b") ? .favorites(["b"]) : .damaged(text)
      }
      switch file {
      case .missing, .favorites: break
      case .damaged(let text), .newer(let text): #expect(try folder.text() == text)
      }
      let asides = try folder.names.filter { $0.contains("damaged") }
      #expect(try asides.map { try folder.text(of: $0) }.sorted() == kept.sorted())
    }
  }

  private func failure(_ body: () async throws -> Void) async -> FavoritesFailure? {
    do {
      try await body()
      return nil
    } catch {
      return FavoritesFailure(error)
    }
  }
}
