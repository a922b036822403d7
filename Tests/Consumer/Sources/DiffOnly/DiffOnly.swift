import ReeluxDiff

/// A program that uses only ReeluxDiff. It does not link what Foundation would link, such as the mathematical library.
@main
struct DiffOnly {
  static func main() {
    print(ValueDifference(from: [1.5], to: [2.5]))
  }
}
