// Reducers: composed, lifted by key path, into an optional, and into collections.
import ReeluxCore

// snippet.reducer
enum CartAction: Sendable {
  case put(Int)
  case clear
}

let cart = Reducer<CartAction, [Int]> { action, items in
  switch action {
  case .put(let item): items.append(item)
  case .clear: items = []
  }
}

var items: [Int] = []
cart.reduce(.put(7), &items)  // items is [7]
// snippet.end
precondition(items == [7])

// snippet.partial
let adults = Reducer<Int, [Int]>.partial { age, ages in
  guard age >= 18 else { return false }  // not one of its actions: no observer is called
  ages.append(age)
  return true
}
// snippet.end
var ages: [Int] = []
precondition(!adults.reduce(17, &ages) && ages.isEmpty)
precondition(adults.reduce(18, &ages) && ages == [18])

// snippet.lift
struct ShopState: Sendable {
  var cart: [Int] = []
  var visits = 0
}

enum ShopAction: Sendable {
  case cart(CartAction)
  case visit
}

extension Prism<ShopAction, CartAction> {
  static let cart = Prism(case: ShopAction.cart) { if case .cart(let action) = $0 { action } else { nil } }
}

extension Prism<ShopAction, Void> {
  static let visit = Prism(case: .visit)
}

let shop = Reducer<ShopAction, ShopState>.compose {
  cart.lift(action: .cart, state: \.cart)
  Reducer(.visit) { state in state.visits += 1 }
}
// snippet.end
var state = ShopState()
precondition(shop.reduce(.cart(.put(1)), &state) && state.cart == [1] && state.visits == 0)
precondition(shop.reduce(.visit, &state) && state.visits == 1)

// snippet.element
struct Chore: Identifiable, Sendable {
  let id: Int
  var isDone = false
}

enum ChoreAction: Sendable {
  case finish
}

enum ListAction: Sendable {
  case chore(ElementAction<Int, ChoreAction>)
}

extension Prism<ListAction, ElementAction<Int, ChoreAction>> {
  static let chore = Prism(case: ListAction.chore) { if case .chore(let action) = $0 { action } else { nil } }
}

let finishing = Reducer<ChoreAction, Chore> { action, chore in chore.isDone = true }
let list = finishing.lift(action: .chore, element: .byID(\[Chore].self))

var chores = [Chore(id: 1), Chore(id: 2)]
list.reduce(.chore(ElementAction(2, .finish)), &chores)  // only the second is done
let reached = list.reduce(.chore(ElementAction(9, .finish)), &chores)  // false: there is no such chore
// snippet.end
precondition(chores.map(\.isDone) == [false, true] && !reached)

// snippet.optional
struct Session: Sendable {
  var user: String?
}

let rename = Reducer<String, String> { new, name in name = new }
let session = rename.lift(action: .identity, optional: \Session.user)

var guest = Session(user: nil)
let accepted = session.reduce("Ada", &guest)  // false: there is no user to rename
// snippet.end
precondition(!accepted && guest.user == nil)

// snippet.laws
let left = (cart <> cart) <> cart
let right = cart <> (cart <> cart)
let same = cart <> .identity
// snippet.end
var one: [Int] = []
var two: [Int] = []
var three: [Int] = []
left.reduce(.put(1), &one)
right.reduce(.put(1), &two)
same.reduce(.put(1), &three)
precondition(one == two && one == [1, 1, 1] && three == [1])
print("cart \(items), shop \(state), chores done \(chores.map(\.isDone)), laws \(one) == \(two)")
