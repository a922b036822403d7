import Dispatch
public import Foundation
import ReeluxCore

extension FavoritesStorage where ID: Codable {
  /// A storage in a JSON file: `{"dates": […], "favorites": […], "schema": 1}`.
  ///
  /// - A confirmed change is kept if the process is killed or the power is lost at any time. A change is written to a
  ///   temporary file and synced. Then the temporary file is renamed in one step, and the folder is synced. The next
  ///   change removes temporary files of killed processes.
  /// - Several processes may use one file. A change locks a file whose name ends with `.lock`, and starts with the
  ///   current content of the favourites' file. So no process overwrites confirmed changes of another one. A process
  ///   waits for the lock for at most `lockTimeout`. The lock file is not removed.
  /// - A damaged file, or one of a newer schema, is renamed to `favorites.json.damaged-1` or `favorites.json.newer-1`,
  ///   or to the next free number. The next read reports this in a ``FavoritesNotice``. The file is never overwritten.
  ///   A change that finds such a file fails with a `conflict`. Further changes until the next read fail in the same
  ///   way.
  /// - A file keeps its mode, its owner, and the fields that this version does not know. If the path is a symbolic
  ///   link, the storage reads and writes the target of the link, and creates it if it is missing.
  /// - A FIFO, a socket, a device or a folder at the path is an error and is never opened. A path below something that
  ///   is not a folder is an error too.
  /// - Reading creates nothing. The first change creates missing folders.
  ///
  /// Reading and changing take time proportional to the number of favourites. The work runs on a separate queue, one
  /// call at a time.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A relative path starts at the current working directory.
  ///   - lockTimeout: The longest time to wait for another process. Default: ten seconds.
  ///   - date: The date of addition, in seconds since 1970, for a favourite that is added now. Default: the system's
  ///     time in whole seconds.
  public static func file(
    at path: String, lockTimeout: Duration = .seconds(10),
    date: @escaping @Sendable () -> Double? = { Date().timeIntervalSince1970.rounded(.down) }
  ) -> FavoritesStorage {
    file(at: path, lockTimeout: lockTimeout, date: date, steps: .unwatched)
  }

  /// The same storage, with a callback before every step.
  package static func file(
    at path: String, lockTimeout: Duration, date: @escaping @Sendable () -> Double? = { nil }, steps: StorageSteps
  ) -> FavoritesStorage {
    let file = FavoritesFile<ID>(path: path, lockTimeout: lockTimeout, date: date, steps: steps)
    return FavoritesStorage(
      read: { try await file.read() },
      update: { change in try await file.update(change) },
      date: date)
  }
}

/// The favourites in a file, with functions to read, change and rename it.
///
/// All work runs on `queue`, so a blocking call does not block a thread of the concurrency runtime.
private final class FavoritesFile<ID: Hashable & Sendable & Codable>: Sendable {
  private let path: String
  private let steps: StorageSteps
  private let lockTimeout: Duration
  private let date: @Sendable () -> Double?
  private let queue = DispatchQueue(label: "favorites.file")
  /// The renamed files that were not reported yet. Only work on `queue` uses this.
  private let unreported = Locked<[FavoritesNotice]>([])

  init(path: String, lockTimeout: Duration, date: @escaping @Sendable () -> Double?, steps: StorageSteps) {
    self.path = KeptFile.absolute(path)
    self.lockTimeout = lockTimeout
    self.date = date
    self.steps = steps
  }

  func read() async throws -> FavoritesSnapshot<ID> {
    try await onQueue { [self] in
      let file = try KeptFile(path: path, steps: steps)
      if case .favorites(let contents) = try document(in: file) { return snapshot(contents) }
      // Only the holder of the lock may rename the file. Another process may already have renamed it.
      return try file.withLock(timeout: lockTimeout) {
        let document = try document(in: file)
        if case .favorites(let contents) = document { return snapshot(contents) }
        try keepAside(document, in: file)
        return snapshot(FavoritesContents())
      }
    }
  }

  func update(_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws {
    try await onQueue { [self] in
      let file = try KeptFile(path: path, steps: steps)
      try file.createFolder()
      try file.withLock(timeout: lockTimeout) {
        let document = try document(in: file)
        guard case .favorites(let before) = document else {
          throw unchanged(try keepAside(document, in: file))
        }
        // This change was wanted while the favourites of the damaged file were shown. In a new file it would hide their loss.
        if let notice = unreported.withLock({ $0.last }) { throw unchanged(notice) }
        var after = before
        change(&after.ids)
        after.dates = after.dates.filter { after.ids.contains($0.key) }
        let added = after.ids.filter { !before.ids.contains($0) }
        if !added.isEmpty, let date = date() { for id in added { after.dates[id] = date } }
        try file.removeLeftovers()
        if after != before { try file.replace(with: FavoritesDocument.bytes(of: after)) }
        // The folder is synced even if nothing changed, because another process may have been killed before this step.
        try file.syncFolder()
      }
      try steps.willDo(.acknowledge)
    }
  }

  private func document(in file: KeptFile) throws -> FavoritesDocument<ID> {
    guard let bytes = try file.read() else { return .favorites(FavoritesContents()) }
    return FavoritesDocument(bytes)
  }

  private func unchanged(_ notice: FavoritesNotice) -> FavoritesFailure {
    FavoritesFailure(.conflict, "nothing was changed: \(notice)")
  }

  @discardableResult
  private func keepAside(_ document: FavoritesDocument<ID>, in file: KeptFile) throws -> FavoritesNotice {
    let kind: FavoritesNotice.Kind
    let reason: String
    switch document {
    case .favorites: (kind, reason) = (.damaged, "is not used")
    case .damaged(let why): (kind, reason) = (.damaged, "is damaged (\(why))")
    case .newer(let schema): (kind, reason) = (.newer, "was written by a newer version (schema \(schema))")
    }
    do {
      let aside = try file.keepAside(suffix: kind.rawValue)
      let notice = FavoritesNotice(kind, "the favourites file '\(file.path)' \(reason); it is kept as '\(aside)'")
      unreported.withLock { $0.append(notice) }
      return notice
    } catch {
      throw FavoritesFailure(.storage, "the favourites file '\(file.path)' \(reason): \(error)")
    }
  }

  private func snapshot(_ contents: FavoritesContents<ID>) -> FavoritesSnapshot<ID> {
    let notices = unreported.withLock { unreported in
      defer { unreported = [] }
      return unreported
    }
    return FavoritesSnapshot(contents.ids, dates: contents.dates, notices: notices)
  }

  private func onQueue<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}

/// The steps of storing. Each is announced before it happens, so that a test can end the process or fail at any step.
package struct StorageSteps: Sendable {
  /// One system call, or the moment after the last one.
  package enum Step: String, CaseIterable, Codable, Sendable {
    case createFolder, lock, readFile, keepAside, removeLeftovers, createTemporary, writePart, syncTemporary, rename
    case syncFolder, unlock, acknowledge
  }

  /// The number of bytes that are written at once.
  package var part: Int

  /// Called before each step; an error fails the step.
  package var willDo: @Sendable (Step) throws -> Void

  package init(part: Int = 1 << 20, willDo: @escaping @Sendable (Step) throws -> Void) {
    self.part = part
    self.willDo = willDo
  }

  package static let unwatched = StorageSteps { _ in }
}
