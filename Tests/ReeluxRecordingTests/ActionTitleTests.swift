import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct ActionTitleTests {
  @Test(arguments: [
    (#"{"tick":{}}"#, "tick"),
    (#"{"shop":{"_0":{"count":{"_0":{"up":{}}}}}}"#, "shop · up"),
    (#"{"shop":{"_0":{"add":{"_0":"tea"}}}}"#, "shop · add tea"),
    (#"{"amount":{"_0":5}}"#, "amount 5"),
    (#"{"tick":{"after":null}}"#, "tick"),
    (#"{"first":"tea","second":{}}"#, "tea"),
    ("{}", "action"),
    ("null", "action"),
  ])
  func aTitleHasTheOutermostAndTheInnermostCaseAndTheTexts(json: String, title: String) throws {
    #expect(ActionTitle.of(try JSONParser.parse(json.utf8).tree) == title)
  }

  @Test func aLongTextIsCutAfterSixtyCharacters() {
    for (count, mark) in [(60, ""), (61, "…")] {
      let title = ActionTitle.of(.string(String(repeating: "a", count: count)))
      #expect(title == String(repeating: "a", count: 60) + mark)
    }
  }

  @Test func textsOfDeeperObjectsAreLeftOut() throws {
    for (levels, title) in [(1, "add tea"), (3, "add tea"), (4, "add")] {
      var payload = JSONTree.object(["note": .null, "item": .string("tea")])
      for _ in 1..<levels { payload = .object(["note": .null, "of": payload]) }
      #expect(ActionTitle.of(.object(["add": payload])) == title)
    }
  }
}
