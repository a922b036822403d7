import ReeluxCore
import Dispatch

/// The favourites in a file: how it is read, changed, and kept aside.
///
/// All work is done on `queue`: a blocking call waits there without keeping a
/// thread of the concurrency runtime.
final class FavoritesFile<ID: Hashable & Sendable & Codable>: Sendable {
  private let file: KeptFile
  private let patience: Duration
  private let queue = DispatchQueue(label: "favorites.file")
  /// What was kept aside and has not been told yet; only `queue`'s work takes it.
  private let untold = Locked<[FavoritesNotice]>([])

  init(path: String, patience: Duration, steps: StorageSteps) {
    self.file = KeptFile(path: path, steps: steps)
    self.patience = patience
  }

  func read() async throws -> FavoritesSnapshot<ID> {
    try await onQueue { [self] in
      if case .favorites(let ids) = try document() { return tell(ids) }
      // Only who holds the lock may rename; by now another process may have done it.
      return try file.withLock(patience: patience) {
        let document = try document()
        if case .favorites(let ids) = document { return tell(ids) }
        try keepAside(document)
        return tell(OrderedIDs())
      }
    }
  }

  func update(_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws {
    try await onQueue { [self] in
      try file.createFolder()
      try file.withLock(patience: patience) {
        let document = try document()
        guard case .favorites(let before) = document else {
          let notice = try keepAside(document)
          throw FavoritesFailure(.conflict, "nothing was changed: \(notice)")
        }
        var after = before
        change(&after)
        try file.removeLeftovers()
        if after != before { try file.replace(with: FavoritesDocument.bytes(of: after)) }
        // Also when nothing changed: what was found may be of a process killed before this step.
        try file.syncFolder()
      }
      try file.steps.willDo(.acknowledge)
    }
  }

  private func document() throws -> FavoritesDocument<ID> {
    guard let bytes = try file.read() else { return .favorites(OrderedIDs()) }
    return FavoritesDocument(bytes)
  }

  @discardableResult
  private func keepAside(_ document: FavoritesDocument<ID>) throws -> FavoritesNotice {
    let kind: FavoritesNotice.Kind
    let reason: String
    switch document {
    case .favorites: (kind, reason) = (.damaged, "is not wanted")
    case .damaged(let why): (kind, reason) = (.damaged, "is damaged (\(why))")
    case .newer(let schema): (kind, reason) = (.newer, "was written by a newer version (schema \(schema))")
    }
    do {
      let aside = try file.keepAside(suffix: kind.rawValue)
      let notice = FavoritesNotice(kind, "the favourites file '\(file.path)' \(reason); it is kept as '\(aside)'")
      untold.withLock { $0.append(notice) }
      return notice
    } catch {
      throw FavoritesFailure(.storage, "the favourites file '\(file.path)' \(reason): \(error)")
    }
  }

  private func tell(_ ids: OrderedIDs<ID>) -> FavoritesSnapshot<ID> {
    let notices = untold.withLock { untold in
      defer { untold = [] }
      return untold
    }
    return FavoritesSnapshot(ids, notices: notices)
  }

  private func onQueue<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
