import Foundation
import ReeluxFavorites
import Testing

/// The programs in the documentation equal the compiled ones.
@Suite(.timeLimit(.minutes(15))) struct DocumentationTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test func theProgramToTakeAwayIsTheCompiledSnippet() throws {
    let program = try Self.text("Snippets/favorites-in-your-app.swift")
    let page = try Self.text("Packages/Favorites/Sources/ReeluxFavorites/ReeluxFavorites.docc/TakeItIntoYourApp.md")
    #expect(page.contains("```swift\n\(program)```\n"))
  }

  @Test(arguments: ["favorites-in-your-app", "favorites-preview"])
  func aSnippetHasAtMostThirtyLines(name: String) throws {
    let breaks = try Self.text("Snippets/\(name).swift").filter(\.isNewline)
    #expect(breaks.count <= 30)
  }

  @Test func thePageOfFailuresListsEveryKindWithItsText() throws {
    let page = try Self.text("Packages/Favorites/Sources/ReeluxFavorites/ReeluxFavorites.docc/Failures.md")
    for kind in FavoritesFailure.Kind.allCases { #expect(page.contains("| `\(kind.rawValue)` | \(kind.text) |")) }
    for kind in FavoritesNotice.Kind.allCases { #expect(page.contains("| `\(kind.rawValue)` | ")) }
  }
}
