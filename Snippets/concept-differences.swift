// Differences of values on the page of ReeluxDiff. The program checks its own results.

import ReeluxDiff

struct Movie: Equatable, Identifiable {
  var id: String
  var year: Int
}

struct Library {
  var movies: [Movie]
  var note: String?
}

// snippet.compare
let before = Library(movies: [Movie(id: "m", year: 1931)], note: nil)
var after = before
after.movies[0].year = 1932
after.note = "restored"
let difference = ValueDifference(from: before, to: after)
// movies[#m].year: 1931 → 1932
// note: nil → "restored"
// snippet.end
precondition(difference.description == "movies[#m].year: 1931 → 1932\nnote: nil → \"restored\"")

// snippet.mirror
struct Shelf: CustomReflectable {
  var slots: [String?]

  var customMirror: Mirror {
    Mirror(self, unlabeledChildren: slots.compactMap { $0 }, displayStyle: .collection)
  }
}
// snippet.end

struct Room {
  var shelf: Shelf
}

let added = ValueDifference(
  from: Room(shelf: Shelf(slots: [nil, "metropolis-1927"])),
  to: Room(shelf: Shelf(slots: ["metropolis-1927", nil, "m-1931"])))
precondition(added.description == #"shelf[1]: + "m-1931""#)

print(difference)
print(added)
