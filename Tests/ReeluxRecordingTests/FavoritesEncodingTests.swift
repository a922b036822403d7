import ReeluxCore
import Testing

@testable import ReeluxFavorites
@testable import ReeluxRecording

/// The cost of encoding the states of a long list of favourites, as the number of encoded ids.
@Suite(.timeLimit(.minutes(15))) struct FavoritesEncodingTests {
  private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// An id that counts how often an id is encoded. Each test has its own counter, because tests run concurrently.
  private struct CountedID: Hashable, Codable, Sendable {
    @TaskLocal static var encodings = Counter()
    var number: Int

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }

    func encode(to encoder: any Encoder) throws {
      Self.encodings.add()
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @Test func oneOfTwoThousandPendingFavouritesIsEncodedAlone() throws {
    let encodings = Counter()
    try CountedID.$encodings.withValue(encodings) {
      let reducer = Reducer<FavoritesAction<CountedID>, FavoritesState<CountedID>>.favorites()
      var state = FavoritesState<CountedID>()
      for number in 0..<2_000 { reducer.reduce(.add(CountedID(number)), &state) }
      let encoder = TreeEncoder(remembers: true)
      _ = try encoder.encode(state)
      #expect(encodings.count > 2_000)
      for number in [2_000, 700, 1_200, 700] {
        reducer.reduce(.toggle(CountedID(number)), &state)
        let before = encodings.count
        let tree = try encoder.encode(state)
        // An id is encoded as an item, in the queue, and as a change that can be undone.
        #expect(encodings.count - before <= 3, "\(number)")
        #expect(tree.text == (try TreeEncoder().encode(state).text))
      }
    }
  }

  /// The list of items, one of which has changed: the others are refused, waiting after a lost connection, or
  /// uncertain.
  @Test(arguments: [
    FavoritesFailure(.refused, "no"), FavoritesFailure(.offline, "no connection", retryAfter: .seconds(7)),
    FavoritesFailure(.timeout, "a reason that is too long to stand in the text itself"),
  ])
  func oneOfManyItemsThatFailedIsEncodedAlone(_ failure: FavoritesFailure) throws {
    let encodings = Counter()
    try CountedID.$encodings.withValue(encodings) {
      let policy = FavoritesPolicy(attempts: failure.kind == .offline ? 5 : 1)
      let reducer = Reducer<FavoritesAction<CountedID>, FavoritesState<CountedID>>.favorites(policy: policy)
      var state = FavoritesState<CountedID>()
      for number in 0..<500 {
        reducer.reduce(.add(CountedID(number)), &state)
        let request = try #require(state.bookkeeping.slots.last?.requests.first)
        reducer.reduce(.response(.failed(request, failure)), &state)
        if failure.kind == .timeout, number.isMultiple(of: 2) { reducer.reduce(.dismiss(CountedID(number)), &state) }
      }
      let encoder = TreeEncoder(remembers: true)
      _ = try encoder.encode(state)
      for number in [500, 501] {
        reducer.reduce(.add(CountedID(number)), &state)
        let before = encodings.count
        let tree = try encoder.encode(state)
        // As an item, in its request, and as a change that can be undone.
        #expect(encodings.count - before <= 3, "\(number)")
        #expect(tree.text == (try TreeEncoder().encode(state).text))
        let read = try TreeDecoder.decode(
          FavoritesState<CountedID>.self, from: try JSONParser.parse(tree.text.utf8))
        #expect(read == state)
      }
    }
  }
}
