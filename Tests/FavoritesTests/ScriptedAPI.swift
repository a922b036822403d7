import Core
import Favorites

/// An API whose every call waits until the test answers it.
final class ScriptedAPI: Sendable {
  /// A call that waits for its answer.
  struct Call: Sendable {
    enum Request: Hashable, Sendable {
      case fetch
      case set(Int, Bool)
    }

    let request: Request
    fileprivate let answer: CheckedContinuation<FavoritesSnapshot<Int>, any Error>

    func succeed(_ snapshot: FavoritesSnapshot<Int> = []) { answer.resume(returning: snapshot) }
    func fail(_ kind: FavoritesFailure.Kind, _ reason: String = "no") {
      answer.resume(throwing: FavoritesFailure(kind, reason))
    }
    func fail(with error: any Error) { answer.resume(throwing: error) }
  }

  private struct Line {
    var calls: [Call] = []
    var waiting: [CheckedContinuation<Call, Never>] = []
    var open = 0
  }

  private let line = Locked(Line())

  var api: FavoritesAPI<Int> {
    FavoritesAPI(
      fetch: { [self] in try await answer(to: .fetch) },
      set: { [self] id, isFavorite in _ = try await answer(to: .set(id, isFavorite)) })
  }

  /// The next call, as soon as there is one.
  func next() async -> Call {
    await withCheckedContinuation { continuation in
      let call = line.withLock { line -> Call? in
        guard line.calls.isEmpty else { return line.calls.removeFirst() }
        line.waiting.append(continuation)
        return nil
      }
      if let call { continuation.resume(returning: call) }
    }
  }

  /// How many calls have come and have not been taken.
  var untaken: Int { line.withLock { $0.calls.count } }

  private func answer(to request: Call.Request) async throws -> FavoritesSnapshot<Int> {
    try await withCheckedThrowingContinuation { continuation in
      let call = Call(request: request, answer: continuation)
      let waiting = line.withLock { line -> CheckedContinuation<Call, Never>? in
        guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
        line.calls.append(call)
        return nil
      }
      waiting?.resume(returning: call)
    }
  }
}
