import Benchmarks
import Core
import Logger
import ReeluxCore
import ReeluxLogger

/// A program whose modules have the names of folders in this repository.
@main
struct NameClash {
  static func main() {
    let store = Store(
      initialState: Book(title: ""),
      feature: Feature<String, Book> {
        Feature(reducer: Reducer { title, book in book.title = title })
        Feature.logger(to: .standardError)
      })
    store.dispatch("Middlemarch")
    print(Logger().line(for: store.state))
  }
}
