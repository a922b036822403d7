/// Positions of movies by id: an open-addressing table of 32-bit positions.
///
/// It holds no copy of any id, so that an index of a million movies costs 8 MB where a dictionary of strings would cost
/// ten times that.
struct MovieIndex: Sendable {
  /// Positions in the movies' array; `-1` is a free slot. The count is a power of two, at most half of it taken.
  private var slots: [Int32]
  private var count = 0

  init(minimumCapacity: Int) {
    var capacity = 16
    while capacity < minimumCapacity * 2 { capacity *= 2 }
    slots = Array(repeating: -1, count: capacity)
  }

  /// Adds the movie at this position, and answers the position of the movie that has the id already, if there is one.
  mutating func insert(_ position: Int, in movies: [Movie]) -> Int? {
    if (count + 1) * 2 > slots.count { grow(movies) }
    let id = movies[position].id
    var slot = slot(for: id)
    while slots[slot] >= 0 {
      let taken = Int(slots[slot])
      if movies[taken].id == id { return taken }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(truncatingIfNeeded: position)
    count += 1
    return nil
  }

  /// The position of the movie with this id.
  func position(of id: Movie.ID, in movies: [Movie]) -> Int? {
    var slot = slot(for: id)
    while slots[slot] >= 0 {
      let position = Int(slots[slot])
      if movies[position].id == id { return position }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func slot(for id: Movie.ID) -> Int {
    id.hashValue & (slots.count - 1)
  }

  private mutating func grow(_ movies: [Movie]) {
    let old = slots
    slots = Array(repeating: -1, count: old.count * 2)
    for position in old where position >= 0 {
      var slot = slot(for: movies[Int(position)].id)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = position
    }
  }
}
