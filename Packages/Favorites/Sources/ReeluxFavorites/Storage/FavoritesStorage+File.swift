import Dispatch
public import Foundation
import ReeluxCore

extension FavoritesStorage where ID: Codable {
  /// Keeps the favourites in a JSON file: `{"dates": […], "favorites": […], "schema": 1}`.
  ///
  /// - A confirmed change survives a kill, or a loss of power, at any time. A
  ///   change is written to a temporary file and synced, the temporary file is
  ///   renamed in one step, and the folder is synced. The next change removes
  ///   temporary files that killed processes left.
  /// - Several processes may use one file. A change holds a lock (on a file whose name
  ///   ends with `.lock`, which stays), and begins with the current content of the file.
  ///   So no process overwrites confirmed changes by another one. A process waits for the
  ///   lock for at most `lockTimeout`.
  /// - A damaged file, or one of a newer schema, is renamed
  ///   (`favorites.json.damaged-1`, `favorites.json.newer-1`, or the next free
  ///   number), and the next read reports it in a ``FavoritesNotice``. It is
  ///   never overwritten. A change that finds such a file fails as a
  ///   `conflict`.
  /// - A file keeps its mode, its owner, and the fields that this version does not know. If the path is a symbolic
  ///   link, the file at its end is read and written, or created.
  /// - A FIFO, a socket, a device or a folder at the path is an error, and is never opened; so is a path below
  ///   something that is no folder.
  /// - Reading creates nothing. The first change creates the folders that are missing.
  ///
  /// Reading and changing take time proportional to the number of favourites.
  /// The work runs on a queue of its own, one call after the other.
  ///
  /// - Parameters:
  ///   - path: The path of the file; a relative path begins at the current working directory.
  ///   - lockTimeout: The longest time to wait for another process; default ten
  ///     seconds.
  ///   - date: The date of addition of a favourite that is added now, in seconds since 1970; default the system's time,
  ///     in whole seconds.
  public static func file(
    at path: String, lockTimeout: Duration = .seconds(10),
    date: @escaping @Sendable () -> Double? = { Date().timeIntervalSince1970.rounded(.down) }
  ) -> FavoritesStorage {
    file(at: path, lockTimeout: lockTimeout, date: date, steps: .unwatched)
  }

  /// The same, with every step announced.
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

/// The favourites in a file: how it is read, changed, and kept aside.
///
/// All work runs on `queue`, so a blocking call does not block a thread of the
/// concurrency runtime.
private final class FavoritesFile<ID: Hashable & Sendable & Codable>: Sendable {
  private let path: String
  private let steps: StorageSteps
  private let lockTimeout: Duration
  private let date: @Sendable () -> Double?
  private let queue = DispatchQueue(label: "favorites.file")
  /// The files that were renamed and not reported yet; only work on `queue`
  /// uses it.
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
      // Only the holder of the lock may rename; by now another process may have done it.
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
          let notice = try keepAside(document, in: file)
          throw FavoritesFailure(.conflict, "nothing was changed: \(notice)")
        }
        var after = before
        change(&after.ids)
        after.dates = after.dates.filter { after.ids.contains($0.key) }
        let added = after.ids.filter { !before.ids.contains($0) }
        if !added.isEmpty, let date = date() { for id in added { after.dates[id] = date } }
        try file.removeLeftovers()
        if after != before { try file.replace(with: FavoritesDocument.bytes(of: after)) }
        // Also when nothing changed: what was found may be of a process killed before this step.
        try file.syncFolder()
      }
      try steps.willDo(.acknowledge)
    }
  }

  private func document(in file: KeptFile) throws -> FavoritesDocument<ID> {
    guard let bytes = try file.read() else { return .favorites(FavoritesContents()) }
    return FavoritesDocument(bytes)
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

/// The steps of storing, announced one by one before each is done, so that a
/// test can end the process, or fail, at any of them.
package struct StorageSteps: Sendable {
  /// One call to the system, or the moment after the last.
  package enum Step: String, CaseIterable, Codable, Sendable {
    case createFolder, lock, readFile, keepAside, removeLeftovers, createTemporary, writePart, syncTemporary, rename
    case syncFolder, unlock, acknowledge
  }

  /// How many bytes are written at once.
  package var part: Int

  /// Called before each step; an error fails the step.
  package var willDo: @Sendable (Step) throws -> Void

  package init(part: Int = 1 << 20, willDo: @escaping @Sendable (Step) throws -> Void) {
    self.part = part
    self.willDo = willDo
  }

  package static let unwatched = StorageSteps { _ in }
}
