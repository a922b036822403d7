/// Elements of two sequences as numbers: equal elements have the same number.
struct EqualityClasses {
  private(set) var old: [Int] = []
  private(set) var new: [Int] = []

  /// Elements that are not hashable are compared with those of the same text; with more than 2,000 of them there are no
  /// classes.
  init?(_ oldElements: [Any], _ newElements: [Any], isSame: (Any, Any) -> Bool) {
    var byHash: [AnyHashable: Int] = [:]
    var byText: [String: [(element: Any, number: Int)]] = [:]
    var count = 0
    func number(_ element: Any) -> Int {
      if let key = element as? AnyHashable {
        let number = byHash[key, default: count]
        byHash[key] = number
        count = max(count, number + 1)
        return number
      }
      let text = ValueText.describing(element)
      if let known = byText[text]?.first(where: { isSame($0.element, element) }) { return known.number }
      byText[text, default: []].append((element, count))
      count += 1
      return count - 1
    }
    let isLarge = oldElements.count + newElements.count > 2_000
    if isLarge, (oldElements + newElements).contains(where: { !($0 is AnyHashable) }) { return nil }
    old = oldElements.map(number)
    new = newElements.map(number)
  }
}
