import ReeluxCore
import ReeluxFavorites
import Testing

@testable import ReeluxRecording

/// What encoding the states of a long list of favourites costs, in encoded ids.
@Suite(.timeLimit(.minutes(10))) struct FavoritesEncodingTests {
  private final class Counter: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// An id that counts how often one is encoded, for one test: another one may run at the same time.
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
        // As an item, in the queue, and as a change that can be undone.
        #expect(encodings.count - before <= 3, "\(number)")
        #expect(tree.text == (try TreeEncoder().encode(state).text))
      }
    }
  }
}
