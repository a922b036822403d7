import Foundation
import ReeluxTestSupport
import Testing

/// Section D: the time that the compiler needs for a large app.
@Suite(.timeLimit(.minutes(15))) struct TypeCheckTests {
  /// The folder of the compiled modules of this test run, if SwiftPM has put them there.
  static let modules: URL? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<5 {
      let modules = folder.appendingPathComponent("Modules")
      if FileManager.default.fileExists(atPath: modules.appendingPathComponent("ReeluxCore.swiftmodule").path) {
        return modules
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// An app with this number of features, composed as in the documentation.
  static func app(features count: Int) -> String {
    let numbers = 1...count
    return """
      import ReeluxCore
      enum AppAction: Sendable {
      \(numbers.map { "  case feature\($0)(Int)" }.joined(separator: "\n"))
      }
      struct AppState: Sendable {
      \(numbers.map { "  var feature\($0) = 0" }.joined(separator: "\n"))
      }
      \(numbers.map { number in
        """
        extension Prism<AppAction, Int> {
          static var feature\(number): Prism {
            Prism(case: AppAction.feature\(number)) { if case .feature\(number)(let it) = $0 { it } else { nil } }
          }
        }
        extension Feature where Action == Int, State == Int {
          static var feature\(number): Feature { Feature(reducer: Reducer { $1 += $0 }) }
        }
        """
      }.joined(separator: "\n"))
      let app = Feature<AppAction, AppState> {
      \(numbers.map { "  Feature.feature\($0).lift(action: .feature\($0), state: \\AppState.feature\($0))" }
        .joined(separator: "\n"))
      }
      """
  }

  @Test(.conformance(86), .enabled(if: modules != nil, "The modules are not where SwiftPM puts them."))
  func thirtyLiftedFeaturesTypeCheckInUnderASecond() throws {
    let modules = try #require(Self.modules)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try Self.app(features: 30).write(to: file, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path,
      // The compiler measures its own time, so a busy machine does not matter.
      "-Xfrontend", "-solver-expression-time-threshold=1",
      "-Xfrontend", "-warn-long-expression-type-checking=1000",
      "-Xfrontend", "-warn-long-function-bodies=1000",
      file.path,
    ]
    let output = Pipe()
    compiler.standardOutput = output
    compiler.standardError = output
    try compiler.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0, "\(text)")
    #expect(!text.contains("to type-check"), "\(text)")
  }
}
