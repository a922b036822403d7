import ReeluxCore

/// The text that makes the requests of one state different from those of other states. The copies of a state share it.
///
/// Like a ``StartFlag``, a session has no influence on the reducer, is equal to any other one, and is neither encoded
/// nor displayed. The reducer never reads the text, so the text is created at its first use.
struct FavoritesSession: Hashable, Sendable {
  private final class Text: Sendable {
    let text = Locked<String?>(nil)
  }

  private let shared: Text?

  /// The session of a request that no state has sent: its text is empty.
  static let none = FavoritesSession(shared: nil)

  private init(shared: Text?) { self.shared = shared }

  /// A new session.
  init() { shared = Text() }

  /// 32 random hexadecimal digits.
  var text: String {
    guard let shared else { return "" }
    return shared.text.withLock { text in
      if let text { return text }
      let random = String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" })
      text = random
      return random
    }
  }

  static func == (lhs: FavoritesSession, rhs: FavoritesSession) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  /// A key of a feed that different sessions do not share. It retains the session.
  struct FeedKey<Key: Hashable & Sendable>: Hashable, Sendable {
    let session: FavoritesSession
    let key: Key

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.key == rhs.key && lhs.session.shared === rhs.session.shared
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(session.shared.map(ObjectIdentifier.init))
      hasher.combine(key)
    }
  }
}
