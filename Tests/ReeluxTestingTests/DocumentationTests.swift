import ReeluxCore
import ReeluxTesting
import Foundation
import Testing

/// The outputs in the documentation equal the real ones.
@Suite(.timeLimit(.minutes(15))) struct DocumentationTests {
  let save = ScriptedCalls<Stars, Void>()

  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private func makeStore() -> TestStore<RatingAction, Rating> {
    TestStore(initialState: Rating(), feature: .rating { [save] in try await save($0) })
  }

  @Test func theGuideShowsTheSnippet() throws {
    let guide = try text("Packages/Core/Sources/ReeluxTesting/ReeluxTesting.docc/Ratings.md")
    let snippet = try text("Snippets/ratings-guide.swift")
    #expect(snippet.split(separator: "\n").count <= 60)
    let quoted = guide.split(separator: "\n").filter { !$0.hasPrefix("```") }
    var next = quoted[...]
    for line in snippet.split(separator: "\n").dropFirst() {
      guard let index = next.firstIndex(of: line) else {
        Issue.record("The guide does not show, or not in this order: \(line)")
        return
      }
      next = next[(index + 1)...]
    }
  }

  @Test func quotedFailuresAreReal() async throws {
    let page = try text("Packages/Core/Sources/ReeluxTesting/ReeluxTesting.docc/FailureMessages.md")
    for report in await wrongTests() {
      let quotation = report.message.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
      #expect(page.contains(quotation + "\n"), "not quoted:\n\(quotation)")
    }
  }

  private func wrongTests() async -> [FailureReport] {
    var reports = await capturingFailures {
      let store = makeStore()
      store.exhaustivity.remove(.runningEffects)
      await store.send(.rate(.four)) { $0.shown = .five }
    }
    reports += await capturingFailures {
      let store = makeStore()
      store.exhaustivity.remove(.runningEffects)
      await store.send(.rate(.four))
    }
    reports += await capturingFailures {
      let store = makeStore()
      await store.send(.rate(.four)) { $0.shown = .four }
      await save.succeed(())
      await store.receive(.saved(.five)) { $0.confirmed = .five }
    }
    reports += await capturingFailures {
      let store = makeStore()
      await store.send(.rate(.four)) { $0.shown = .four }
      await save.succeed(())
      await store.receive(.refused("Offline()"))
    }
    reports += await capturingFailures {
      let store = makeStore()
      await store.send(.rate(.four)) { $0.shown = .four }
      await store.receive(.saved(.four)) { $0.confirmed = .four }
      await save.succeed(())
      await store.send(.rate(.five)) { $0.shown = .five }
    }
    reports += await capturingFailures {
      let store = makeStore()
      store.exhaustivity.remove(.stateChanges)
      store.showSkipped = true
      await store.send(.rate(.four))
      await save.succeed(())
      await store.receive(.saved(.four))
    }
    reports += await capturingFailures {
      await makeStore().assertTimeline(
        sent: "p-q", received: "---", step: .seconds(1), clock: TestClock(), ["p": .rate(.four)])
    }
    reports += capturingFailures {
      assertReducerLaws(
        of: Reducer<RatingAction, Rating>.partial { _, state in
          state.shown = .one
          return false
        }, action: { .rate([.one, .five][$0.integer(in: 0...1)]) }, state: { _ in Rating() })
    }
    return reports
  }
}
