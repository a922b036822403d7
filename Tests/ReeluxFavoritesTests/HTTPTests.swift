import Foundation
import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The API of the documentation with a server on this machine.
@Suite(.timeLimit(.minutes(15))) struct HTTPTests {
  /// The favourites of a server and the requests that it received.
  final class Books: Sendable {
    struct Contents {
      var ids: OrderedIDs<String> = []
      var asked: [String] = []
      var keys: [String] = []
    }
    let contents = Locked(Contents())

    func reply(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
      contents.withLock { contents in
        contents.asked.append("\(request.method) \(request.path)")
        if let key = request.headers["idempotency-key"] { contents.keys.append(key) }
        let id = String(request.path.dropFirst("/favorites/".count))
        switch request.method {
        case "PUT": contents.ids.append(id)
        case "DELETE": contents.ids.remove(id)
        default:
          let list = contents.ids.map { "\"\($0)\"" }.joined(separator: ",")
          return .status(200, headers: ["Content-Type": "application/json"], body: "[\(list)]")
        }
        return .status(204)
      }
    }
  }

  func failure(_ reply: LoopbackServer.Reply) async throws -> FavoritesFailure? {
    let server = try LoopbackServer { _ in reply }
    defer { withExtendedLifetime(server) {} }
    do {
      try await FavoritesAPI.http(server.url).set(FavoritesRequest(id: "a", isFavorite: true, number: 1))
      return nil
    } catch {
      return FavoritesFailure(error)
    }
  }

  @Test(.conformance(114)) func favoritesAreFetchedAddedAndRemoved() async throws {
    let books = Books()
    let server = try LoopbackServer { books.reply($0) }
    defer { withExtendedLifetime(server) {} }
    let store = Store(
      initialState: FavoritesState<String>(),
      feature: .favorites(api: .http(server.url), policy: FavoritesPolicy(timeLimit: nil)))
    await store.dispatch(.add("metropolis-1927")).finish()
    await store.dispatch(.add("faust-1926")).finish()
    await store.dispatch(.remove("metropolis-1927")).finish()
    await store.dispatch(.load).finish()
    #expect(store.state.ids == ["faust-1926"])
    #expect(store.state.isSettled && store.state.failed.isEmpty)
    let contents = books.contents.withLock { $0 }
    #expect(
      contents.asked == [
        "PUT /favorites/metropolis-1927", "PUT /favorites/faust-1926", "DELETE /favorites/metropolis-1927",
        "GET /favorites",
      ])
    let session = try #require(contents.keys.first).dropLast(2)
    #expect(session.count == 32)
    #expect(contents.keys == [2, 4, 6].map { "\(session)-\($0)" })
  }

  @Test(
    .conformance(114),
    arguments: [
      (400, .refused), (401, .unauthorized), (403, .refused), (404, .refused), (408, .timeout), (409, .conflict),
      (412, .conflict), (429, .busy), (500, .timeout), (502, .timeout), (503, .busy), (504, .timeout), (600, .unknown),
    ] as [(Int, FavoritesFailure.Kind)])
  func aStatusIsAFailureOfItsKind(status: Int, kind: FavoritesFailure.Kind) {
    #expect(FavoritesFailure(status: status)?.kind == kind)
  }

  @Test(.conformance(114)) func aStatusOfTheServerBecomesAFailure() async throws {
    #expect(try await failure(.status(403))?.kind == .refused)
    #expect(try await failure(.status(409))?.kind == .conflict)
    #expect(try await failure(.status(500))?.kind == .timeout)
    #expect(try await failure(.status(204)) == nil)
  }

  @Test(.conformance(114)) func removingAnItemThatTheServerDoesNotHaveSucceeds() async throws {
    for status in [404, 410] {
      let server = try LoopbackServer { _ in .status(status) }
      defer { withExtendedLifetime(server) {} }
      let api = FavoritesAPI.http(server.url)
      try await api.set(FavoritesRequest(id: "a", isFavorite: false, number: 1))
      await #expect {
        try await api.set(FavoritesRequest(id: "a", isFavorite: true, number: 2))
      } throws: {
        FavoritesFailure($0).kind == .refused
      }
    }
  }

  @Test(.conformance(114)) func anIDIsOnePartOfTheAddress() async throws {
    let books = Books()
    let server = try LoopbackServer { books.reply($0) }
    defer { withExtendedLifetime(server) {} }
    try await FavoritesAPI.http(server.url).set(FavoritesRequest(id: "a/b?c#d%2F", isFavorite: true, number: 1))
    #expect(books.contents.withLock { $0.asked } == ["PUT /favorites/a%2Fb%3Fc%23d%252F"])
  }

  @Test(.conformance(114), arguments: ["", ".", ".."])
  func anIDThatWouldAddressTheListOrItsFolderIsRefused(id: String) async throws {
    let books = Books()
    let server = try LoopbackServer { books.reply($0) }
    defer { withExtendedLifetime(server) {} }
    for isFavorite in [true, false] {
      await #expect(throws: FavoritesFailure(.refused, "'\(id)' cannot be an id on the server")) {
        try await FavoritesAPI.http(server.url).set(FavoritesRequest(id: id, isFavorite: isFavorite, number: 1))
      }
    }
    #expect(books.contents.withLock { $0.asked } == [])
  }

  @Test(.conformance(114)) func theServerSaysWhenToTryAgain() async throws {
    let busy = try await failure(.status(503, headers: ["Retry-After": "7"]))
    #expect(busy?.retryAfter == .seconds(7))
    let now = Date(timeIntervalSince1970: 784_111_777)
    for (text, delay) in [
      "120": .seconds(120), "Sun, 06 Nov 1994 08:50:37 GMT": .seconds(60), "-5": .zero, "1e300": .seconds(86_400),
      "soon": nil, "": nil, "nan": nil,
    ] as [String: Duration?] {
      #expect(FavoritesFailure(status: 429, retryAfter: text, now: now)?.retryAfter == delay, "\(text)")
    }
  }

  @Test(.conformance(114)) func aDroppedConnectionLeavesOpenWhatTheServerDid() async throws {
    #expect(try await failure(.drop)?.kind == .timeout)
    let cut = try await failure(.cut)
    #expect(cut?.kind == .timeout, "\(String(describing: cut))")
  }

  @Test(.conformance(114)) func aServerThatIsNotThereIsOffline() async throws {
    try await LoopbackServer.withoutServer { url in
      await #expect {
        _ = try await FavoritesAPI.http(url).fetch()
      } throws: {
        FavoritesFailure($0).kind == .offline
      }
    }
  }

  @Test(
    arguments: [
      (.timedOut, .timeout), (.networkConnectionLost, .timeout), (.notConnectedToInternet, .offline),
      (.cannotFindHost, .offline), (.dnsLookupFailed, .offline), (.userAuthenticationRequired, .unauthorized),
      (.badURL, .unknown), (.cancelled, .unknown),
    ] as [(URLError.Code, FavoritesFailure.Kind)])
  func anErrorOfTheConnectionIsAFailureOfItsKind(code: URLError.Code, kind: FavoritesFailure.Kind) {
    #expect(FavoritesFailure(connection: URLError(code)).kind == kind)
  }

  @Test func anAnswerThatIsNoListIsAFailureOfTheFetch() async throws {
    let server = try LoopbackServer { _ in .status(200, body: "<html>") }
    defer { withExtendedLifetime(server) {} }
    await #expect {
      _ = try await FavoritesAPI.http(server.url).fetch()
    } throws: {
      FavoritesFailure($0) == FavoritesFailure(.unknown, "the server's list of favourites cannot be read")
    }
  }

  @Test(.conformance(111)) func aServerThatNeverAnswersIsGivenUpAtTheTimeLimit() async throws {
    let asked = DispatchRecorder<String>()
    let server = try LoopbackServer { request in
      asked.send(request.path)
      return .silence
    }
    defer { withExtendedLifetime(server) {} }
    let clock = TestClock()
    let store = Store(
      initialState: FavoritesState<String>(),
      feature: .favorites(
        api: .http(server.url), policy: FavoritesPolicy(attempts: 1, timeLimit: .seconds(5)), clock: clock))
    let handle = store.dispatch(.add("a"))
    await asked.actions(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    await asked.actions(atLeast: 2)  // The server's present favourites are unknown, so they are fetched.
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    await handle.finish()
    #expect(store.state.failure(of: "a")?.kind == .timeout)
    #expect(store.state.load.failure?.kind == .timeout)
  }

  @Test(.conformance(83)) func clientAndServerAgreeWhenTheServerFailsInEveryWay() async throws {
    let books = Books()
    let random = SeededRandom(seed: 5)
    let server = try LoopbackServer { request in
      var random = random
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .drop
      case 1:
        _ = books.reply(request)
        return .drop
      case 2:
        _ = books.reply(request)
        return .cut
      case 3: return .status(503, headers: ["Retry-After": "0"])
      case 4: return .status(500)
      default: return books.reply(request)
      }
    }
    defer { withExtendedLifetime(server) {} }
    let store = Store(
      initialState: FavoritesState<String>(),
      feature: .favorites(
        api: .http(server.url), policy: FavoritesPolicy(attempts: 3, timeLimit: nil), clock: ImmediateClock()))
    for number in 0..<12 {
      let handle = store.dispatch(.toggle("\(number % 4)"))
      if number % 3 == 2 { await handle.finish() }
    }
    await store.settle()
    for _ in 0..<8 where store.state.load != .loaded { await store.dispatch(.load).finish() }
    #expect(store.state.isSettled)
    #expect(Set(store.state.ids) == Set(books.contents.withLock { $0.ids }))
  }
}
