extension FavoritesStorage where ID: Codable {
  /// Keeps the favourites in a JSON file: `{"favorites": […], "schema": 1}`.
  ///
  /// - What was acknowledged survives a kill, or a loss of power, at any
  ///   instant: a change is written to a temporary file beside it and synced,
  ///   takes the file's name in one step, and the folder is synced too. Left-over
  ///   temporary files of killed processes are removed with the next change.
  /// - Several processes may use one file. A change holds a lock (on the file
  ///   with `.lock` at the end of its name, which stays there) and starts from
  ///   what is in the file then, so no process loses what another was
  ///   acknowledged. Who finds the lock taken waits, `patience` long at most.
  /// - A file that can't be understood, or is of a newer schema, is renamed
  ///   (`favorites.json.damaged-1`, `favorites.json.newer-1`, … whatever number
  ///   is free), and the next read tells about it in a ``FavoritesNotice``. It is
  ///   never overwritten. A change that finds it fails as a `conflict`.
  /// - Reading creates nothing. The first change creates the folders that are missing.
  ///
  /// Reading and changing take time proportional to the number of favourites.
  /// The work is done on a queue of its own, one call after the other.
  ///
  /// - Parameters:
  ///   - path: Where the file is, or will be.
  ///   - patience: How long to wait for another process; default ten seconds.
  public static func file(at path: String, patience: Duration = .seconds(10)) -> FavoritesStorage {
    file(at: path, patience: patience, steps: .unwatched)
  }

  /// The same, with every step announced.
  package static func file(at path: String, patience: Duration, steps: StorageSteps) -> FavoritesStorage {
    let file = FavoritesFile<ID>(path: path, patience: patience, steps: steps)
    return FavoritesStorage(
      read: { try await file.read() },
      update: { change in try await file.update(change) })
  }
}
