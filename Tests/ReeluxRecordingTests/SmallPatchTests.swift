import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct SmallPatchTests {
  @Test func aPatchContainsOnlyTheMembersThatDiffer() {
    let old = JSONTree.object(["a": .number(1), "b": .number(2), "c": .number(3)])
    #expect(
      JSONPatch.between(old, .object(["a": .number(1), "b": .number(2), "c": .number(4)]))?.text
        == #"{"in":{"c":{"set":4}}}"#)
    #expect(
      JSONPatch.between(old, .object(["b": .number(2), "c": .number(3), "d": .null]))?.text
        == #"{"in":{"d":{"set":null}},"out":["a"]}"#)
  }

  @Test(arguments: [#"{"cut":[0]}"#, #"{"cut":[0,1,[],2]}"#, #"{"at":[[0]]}"#, #"{"at":[[]]}"#, #"{"at":[0]}"#])
  func aPatchOfAnotherFormIsRefused(text: String) throws {
    #expect(JSONPatch.applied(try JSONParser.parse(text.utf8).tree, to: .array([.null])) == nil)
  }

  @Test func objectsThatDifferOnlyInANameAreDifferent() {
    let (old, new) = (JSONTree.object(["a": .null]), JSONTree.object(["b": .null]))
    #expect(old.digest != new.digest)
    #expect(JSONPatch.between(old, new)?.text == #"{"in":{"b":{"set":null}},"out":["a"]}"#)
  }
}
