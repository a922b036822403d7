import Dispatch
public import Foundation
import ReeluxCore

extension FavoritesStorage where ID: Codable {
  /// A storage in a JSON file: `{"dates": […], "favorites": […], "schema": 1}`.
  ///
  /// - A confirmed change is kept if the process is killed or the power is lost at any time. A change is written to a
  ///   temporary file and synced. Then the temporary file is renamed in one step, and the folder is synced. The next
  ///   change removes temporary files of killed processes.
  /// - Several processes may use one file. A change first locks another file, whose name has the suffix `.lock`. Then
  ///   it reads the current content of the favourites' file. So no process overwrites confirmed changes of another one.
  ///   A process waits for the lock for at most `lockTimeout`. The lock file is not removed.
  /// - Reading changes nothing. A read of a damaged file has no favourites and a ``FavoritesNotice``. After such a
  ///   read, the first change that has an effect renames the file to `favorites.json.damaged-1`, or to the next free
  ///   number, and begins a new file. A change that finds a damaged file before a read has reported it fails with a
  ///   `conflict`. So does a change that finds no file, if this storage has read or written the file and no read has
  ///   found its removal.
  /// - A file of a newer schema is never renamed or changed. Reads and changes fail with the kind `storage`. If an
  ///   unknown field contains a number that cannot be kept (10¹⁶⁵ or more, or nearer to zero than about 10⁻¹²⁸),
  ///   changes fail with this kind too.
  /// - A file keeps its mode, its owner, and the fields that this version does not define. A number in such a field
  ///   keeps its first 38 digits. If the path is a symbolic link, the storage reads and writes the target of the link.
  ///   A missing target is created.
  /// - A FIFO, a socket, a device or a folder at the path is an error and is never opened. A path below something that
  ///   is not a folder is an error too.
  /// - The first change creates missing folders, which only the user can read.
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
  /// What this storage last found or left at the path. Only work on `queue` uses this.
  private let found = Locked(Found.nothing)

  private enum Found {
    /// No file, or no call has looked for it yet.
    case nothing
    /// A file of favourites.
    case favorites
    /// A damaged file, which a read reported.
    case damage
  }

  init(path: String, lockTimeout: Duration, date: @escaping @Sendable () -> Double?, steps: StorageSteps) {
    self.path = AtomicFile.absolute(path)
    self.lockTimeout = lockTimeout
    self.date = date
    self.steps = steps
  }

  func read() async throws -> FavoritesSnapshot<ID> {
    try await onQueue { [self] in
      let file = try AtomicFile(path: path, steps: steps)
      switch try document(in: file) {
      case nil:
        found.withLock { $0 = .nothing }
        return []
      case .favorites(let contents):
        found.withLock { $0 = .favorites }
        return FavoritesSnapshot(contents.ids, dates: contents.dates)
      case .damaged(let reason):
        found.withLock { $0 = .damage }
        return FavoritesSnapshot([], notices: [notice(reason, file)])
      case .newer(let schema): throw newer(schema, file)
      }
    }
  }

  func update(_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws {
    try await onQueue { [self] in
      let file = try AtomicFile(path: path, steps: steps)
      try file.createFolder()
      // The lock is a file too. None is created beside a device.
      try file.requireRegularIfPresent()
      try file.withLock(timeout: lockTimeout) {
        let (before, isDamaged) = try contents(of: file)
        var after = before
        change(&after.ids)
        after.dates = after.dates.filter { after.ids.contains($0.key) }
        let added = after.ids.filter { !before.ids.contains($0) }
        if !added.isEmpty, let date = date() { for id in added { after.dates[id] = date } }
        try file.removeLeftovers()
        if after != before {
          if let field = before.unkept { throw unkept(field, file) }
          if isDamaged {
            try file.keepAside(suffix: Self.suffix)
            found.withLock { $0 = .nothing }
          }
          try file.replace(with: FavoritesDocument.bytes(of: after))
          found.withLock { $0 = .favorites }
        }
        // The folder is synced even if nothing changed, because another process may have been killed before this step.
        try file.syncFolder()
      }
      try steps.willDo(.acknowledge)
    }
  }

  /// The favourites before a change, and whether the file is damaged. A damaged file has no favourites. The caller
  /// holds the lock.
  private func contents(of file: AtomicFile) throws -> (FavoritesContents<ID>, isDamaged: Bool) {
    switch try document(in: file) {
    case nil:
      // No read has found that the file was removed, so the app still shows its favourites. A new file would hide their
      // loss.
      guard found.withLock({ $0 }) != .favorites else {
        throw FavoritesFailure(.conflict, "nothing was changed: the favourites file '\(file.path)' was removed")
      }
      found.withLock { $0 = .nothing }
      return (FavoritesContents(), false)
    case .favorites(let contents):
      found.withLock { $0 = .favorites }
      return (contents, false)
    case .newer(let schema): throw newer(schema, file)
    case .damaged(let reason):
      // No read has reported the damage, so the app still shows earlier favourites. A new file would hide their loss.
      guard found.withLock({ $0 }) == .damage else {
        throw FavoritesFailure(.conflict, "nothing was changed: \(notice(reason, file))")
      }
      return (FavoritesContents(), true)
    }
  }

  /// The document at the path; `nil` if there is no file.
  private func document(in file: AtomicFile) throws -> FavoritesDocument<ID>? {
    try file.read().map { FavoritesDocument($0) }
  }

  private static var suffix: String { "damaged" }

  private func notice(_ reason: String, _ file: AtomicFile) -> FavoritesNotice {
    FavoritesNotice(
      .damaged,
      "the favourites file '\(file.path)' is damaged (\(reason)). Repair the file. Otherwise the next change "
        + "renames it to '\(file.freeName(suffix: Self.suffix))' and starts a new file")
  }

  private func newer(_ schema: Int, _ file: AtomicFile) -> FavoritesFailure {
    FavoritesFailure(
      .storage,
      "the favourites file '\(file.path)' was written by a newer version (schema \(schema)) and stays as it is. "
        + "Use the newer version, or another file")
  }

  private func unkept(_ field: String, _ file: AtomicFile) -> FavoritesFailure {
    FavoritesFailure(
      .storage,
      "the favourites file '\(file.path)' stays as it is: the field '\(field)' has a number that cannot be written "
        + "again. Use the program that wrote it, or remove the field")
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
  /// One or more system calls, or the moment after the last one.
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
