/// Positions of movies by id.
///
/// MovieLens and IMDb list their ids in ascending order. Such ids are found by bisection, without further memory. Other
/// ids are found with an open-addressing table of 32-bit positions. The table holds no copies of ids. For a million
/// movies it takes 17 MB, much less than a dictionary of strings.
struct MovieIndex: Sendable {
  /// Whether all ids so far ascend as text: `tt0000001`, `tt10000000`, `tt2`.
  private var ascendsByText = true

  /// Whether all ids so far ascend by length, then as text: `9`, `10`, `11`.
  private var ascendsByLength = true

  /// Positions in the array of movies; `-1` marks a free slot. The number of slots is a power of two, and at most half
  /// of them are used. Empty while the ids ascend and are ASCII. Other ids can be equal although their bytes differ.
  private var slots: [Int32] = []

  /// Adds the last movie, which is at this position. Returns the position of an earlier movie with the same id, if
  /// there is one.
  mutating func insert(_ position: Int, in movies: Movies) -> Int? {
    if slots.isEmpty {
      let order = orderOfLastTwo(position, in: movies)
      if order == 0 { return position - 1 }
      if order != nil, ascendsByText || ascendsByLength { return nil }
      makeTable(movies, upTo: position)
    }
    if (position + 1) * 2 > slots.count { makeTable(movies, upTo: position) }
    let (slot, earlier) = find(movies.id(of: movies.rows[position]), in: movies)
    if earlier == nil { slots[slot] = Int32(truncatingIfNeeded: position) }
    return earlier
  }

  /// The position of the movie with this id.
  func position(of id: Movie.ID, in movies: Movies) -> Int? {
    guard slots.isEmpty else { return find(id, in: movies).position }
    var (low, high) = (0, movies.count)
    while low < high {
      let middle = (low + high) / 2
      let found = movies.id(of: movies.rows[middle])
      let isBefore = ascendsByText ? found < id : Self.isShorter(found, id)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low < movies.count && movies.id(of: movies.rows[low]) == id ? low : nil
  }

  /// Compares the id at this position with the id before it, and records whether the ids still ascend. Negative if this
  /// id is greater, zero if both are equal, `nil` if this id is not ASCII.
  private mutating func orderOfLastTwo(_ position: Int, in movies: Movies) -> Int? {
    let id = movies.text[movies.rows[position].id]
    guard ByteSearch.isASCII(id) else { return nil }
    guard position > 0 else { return -1 }
    let before = movies.text[movies.rows[position - 1].id]
    let order = ByteSearch.order(before, id)
    // The bisection finds the first of equal ids.
    ascendsByText = ascendsByText && order <= 0
    ascendsByLength = ascendsByLength && (before.count == id.count ? order <= 0 : before.count < id.count)
    return order
  }

  private static func isShorter(_ first: String, _ second: String) -> Bool {
    let (one, other) = (first.utf8.count, second.utf8.count)
    return one == other ? first < second : one < other
  }

  /// The slot of the table that holds the position of this id, and that position; or a free slot and `nil`.
  private func find(_ id: Movie.ID, in movies: Movies) -> (slot: Int, position: Int?) {
    var slot = slot(for: id)
    while slots[slot] >= 0 {
      let position = Int(slots[slot])
      if movies.id(of: movies.rows[position]) == id { return (slot, position) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return (slot, nil)
  }

  private func slot(for id: Movie.ID) -> Int {
    id.hashValue & (slots.count - 1)
  }

  /// Creates a table with at least four slots for each movie, and adds the movies before `end`. Of movies with the same
  /// id, the first is found.
  private mutating func makeTable(_ movies: Movies, upTo end: Int) {
    var capacity = 1024
    while capacity < (end + 1) * 4 { capacity *= 2 }
    slots = Array(repeating: -1, count: capacity)
    for position in 0..<end {
      var slot = slot(for: movies.id(of: movies.rows[position]))
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: position)
    }
  }
}
