import Foundation
import ReeluxFavorites

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension FavoritesAPI<String> {
  /// Favourites on a server: `GET favorites` is a JSON list of ids, `PUT` and `DELETE favorites/ID` change one.
  /// A server can compare the idempotency keys, which are different for different requests of all stores and rows.
  static func http(_ server: URL, session: URLSession = .shared) -> FavoritesAPI {
    let favorites = server.appendingPathComponent("favorites")
    return FavoritesAPI(
      fetch: {
        let data = try await session.answer(to: URLRequest(url: favorites))
        guard let ids = try? JSONDecoder().decode([String].self, from: data) else {
          throw FavoritesFailure(.unknown, "the server's list of favourites cannot be read")
        }
        return FavoritesSnapshot(ids)
      },
      set: { request in
        // These ids would address the list or the folder above it, also if their dots were encoded.
        if ["", ".", ".."].contains(request.id) {
          throw FavoritesFailure(.refused, "'\(request.id)' cannot be an id on the server")
        }
        // Encodes a `/` in the id, too.
        var call = URLRequest(url: favorites.appending(component: request.id))
        call.httpMethod = request.isFavorite ? "PUT" : "DELETE"
        call.setValue("\(request.session)-\(request.number)", forHTTPHeaderField: "Idempotency-Key")
        _ = try await session.answer(to: call)
      })
  }
}

extension URLSession {
  /// The body of a successful response. Another response is thrown as a failure of the matching kind.
  fileprivate func answer(to call: URLRequest) async throws -> Data {
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await self.data(for: call)
    } catch let error as URLError {
      throw FavoritesFailure(connection: error)
    }
    guard let response = response as? HTTPURLResponse else {
      throw FavoritesFailure(.unknown, "the server does not speak HTTP")
    }
    // An item that the server does not have is removed already.
    if call.httpMethod == "DELETE", [404, 410].contains(response.statusCode) { return data }
    let retryAfter = response.value(forHTTPHeaderField: "Retry-After")
    if let failure = FavoritesFailure(status: response.statusCode, retryAfter: retryAfter) { throw failure }
    return data
  }
}

extension FavoritesFailure {
  /// The failure that a status means, or `nil` for success.
  ///
  /// - Parameter retryAfter: The header of this name: seconds, or a date.
  init?(status: Int, retryAfter: String? = nil, now: Date = Date()) {
    switch status {
    case 200..<300: return nil
    case 401: self.init(.unauthorized, "the server requires a new sign-in")
    case 409, 412: self.init(.conflict, "the favourites were changed on another device")
    case 429, 503:
      self.init(.busy, "the server is busy", retryAfter: retryAfter.flatMap { Self.delay($0, now: now) })
    case 408, 500, 502, 504: self.init(.timeout, "the server had a problem (status \(status))")
    case 400..<500: self.init(.refused, "the server refused it (status \(status))")
    default: self.init(.unknown, "the server answered with status \(status)")
    }
  }

  /// The failure that an error of the connection means.
  init(connection error: URLError) {
    switch error.code {
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
      .internationalRoamingOff, .callIsActive, .secureConnectionFailed:
      self.init(.offline, "the server could not be reached")
    case .timedOut, .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unknown:
      self.init(.timeout, "the connection was lost before the response came")
    case .userAuthenticationRequired, .userCancelledAuthentication:
      self.init(.unauthorized, "the server requires a new sign-in")
    default: self.init(.unknown, error.localizedDescription)
    }
  }

  /// A number of seconds or a date as HTTP writes them, at most a day.
  private static func delay(_ text: String, now: Date) -> Duration? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let seconds = Double(text) ?? formatter.date(from: text)?.timeIntervalSince(now), seconds.isFinite else {
      return nil
    }
    return .seconds(min(86_400, max(0, seconds)))
  }
}
