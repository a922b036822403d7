import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct DocumentationTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theProgramOfThePageIsTheCompiledSnippet() throws {
    let page = try text("Packages/Location/Sources/ReeluxLocation/ReeluxLocation.docc/TakeItIntoYourApp.md")
    let snippet = try text("Snippets/location-in-your-app.swift")
    #expect(page.contains("```swift\n\(snippet)```\n"))
  }

  @Test(arguments: ["location-preview", "location-in-your-app"])
  func aSnippetHasAtMostThirtyLinesAndNoAppCode(name: String) throws {
    let lines = try text("Snippets/\(name).swift").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 31)
    let imports: [Substring] = ["import ReeluxCore", "import ReeluxLocation", "import ReeluxLocationSimulation"]
    #expect(lines.filter { $0.hasPrefix("import ") } == imports)
  }
}
