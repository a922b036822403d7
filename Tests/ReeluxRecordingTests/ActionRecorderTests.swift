import ReeluxCore
import ReeluxLogger
import ReeluxLoggerTestSupport
import Foundation
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct ActionRecorderTests {
  @Test func aRecordingReadsBackAsItWas() throws {
    let actions: [ShopAction] = [.add("tea"), .login(user: "a", password: "</script>\u{0}é"), .count(.by(-3))]
    let recording = try ShopRecording(actions).read()
    #expect(try recording.actions().map(\.action) == actions)
    #expect(try recording.actions().map(\.number) == [1, 2, 3])
    #expect(
      try recording.actions().allSatisfy {
        $0.source.info == "recorded" && $0.source.file.hasPrefix("ReeluxRecordingTests/")
      }
    )
    #expect(try recording.actions().allSatisfy { $0.checksum != nil && $0.duration == 1_000_000 })
    #expect(recording.initialState == ShopState())
    #expect(recording.header.app == "Shop")
    #expect(recording.header.version == "1.2")
    #expect(recording.header.seed == 42)
    #expect(recording.header.schema == RecordingHeader.currentSchema)
    #expect(recording.ending == .closed)
  }

  @Test func everyLineIsJSONAndTheFirstHoldsTheInitialState() throws {
    let lines = try ShopRecording().lines
    #expect(lines.count == 7)
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect((objects[0]?["state"] as? [String: Any])?["cart"] as? [String] == [])
    #expect(objects[1]?["parts"] as? [String: String] != nil)
    #expect(objects[3]?["parts"] == nil)
  }

  @Test func changedPartsAreThePropertiesThatTheActionChanged() throws {
    let recording = try ShopRecording().read()
    #expect(
      try recording.actions().map { $0.parts.keys.sorted() } == [["cart"], ["counter"], [], ["cart"], ["counter"]])
  }

  @Test func anExistingFileIsNotTouched() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/kept"
    try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: RecordingError.exists(path: path)) {
      _ = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    }
    #expect(try directory.lines("kept") == ["mine"])
  }

  @Test func aFileBelongsToOneRecorder() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run.jsonl"
    let first = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    #expect(throws: RecordingError.system(path: path, reason: "another recorder uses the file")) {
      _ = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "2")
    }
    withExtendedLifetime(first) {}
  }

  @Test func aMissingDirectoryIsToldAtOnce() {
    #expect(
      throws: RecordingError.system(
        path: "/nowhere/at/all", reason: "the file cannot be written: No such file or directory")
    ) {
      _ = try ActionRecorder<ShopAction, ShopState>(path: "/nowhere/at/all", app: "Shop", version: "1")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func aFullDiskIsToldBySyncAndTheStoreGoesOn() throws {
    let recorder = try ActionRecorder<ShopAction, ShopState>(path: "/dev/full", app: "Shop", version: "1")
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    for _ in 0..<10 { store.dispatch(.count(.up)) }
    #expect(throws: RecordingError.self) { try recorder.sync() }
    #expect(store.state.counter.value == 10)
  }

  @Test func aRecorderInTwoStoresKeepsTheFirstRecordingAndFails() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    let feature = Feature(reducer: .shop) <> .recorder(recorder)
    let first = Store(initialState: ShopState(), feature: feature)
    first.dispatch(.add("tea"))
    let second = Store(initialState: ShopState(), feature: feature)
    second.dispatch(.add("milk"))
    let error = #expect(throws: RecordingError.self) { try recorder.close() }
    #expect(error.map { "\($0)" }?.contains("one recorder records one store") == true)
    let recording = try Recording<ShopAction, ShopState>(path: path)
    #expect(recording.damage == nil)
    #expect(try recording.actions().map(\.action) == [.add("tea")])
    #expect(recording.ending == .open)
  }

  @Test(arguments: ["the file was removed", "another program made the file shorter"])
  func aRecordingThatAnotherProgramDestroysIsAnErrorOfSyncAndClose(reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    store.dispatch(.add("tea"))
    try recorder.sync()
    if reason.contains("removed") {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try Data().write(to: URL(filePath: path))
    }
    store.dispatch(.add("milk"))
    let errors = [
      #expect(throws: RecordingError.self) { try recorder.sync() },
      #expect(throws: RecordingError.self) { try recorder.close() },
    ]
    #expect(errors.allSatisfy { $0.map { "\($0)" }?.contains(reason) == true })
  }

  @Test func aRecorderTwiceInOneStoreFails() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    let store = Store(
      initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder) <> .recorder(recorder))
    store.dispatch(.add("tea"))
    let error = #expect(throws: RecordingError.self) { try recorder.close() }
    #expect(error.map { "\($0)" }?.contains("one recorder records one store") == true)
    #expect(try directory.lines("run").count == 1)
    #expect(try Recording<ShopAction, ShopState>(path: path).damage == nil)
  }

  @Test func aDamagedRecordingPlaysUpToTheDamage() throws {
    let recording = try ShopRecording()
    var lines = try recording.lines
    lines.remove(at: 3)
    try recording.rewrite(lines.joined(separator: "\n") + "\n")
    let damaged = try recording.read()
    #expect(damaged.damage?.line == 4)
    #expect(damaged.count == 2)
    var player = ActionPlayer(damaged, reducer: .shop)
    try player.playToEnd()
    #expect(player.position == 2)
  }

  @Test func errorsHaveALocalizedDescription() throws {
    let error = RecordingError.empty(path: "run.jsonl")
    #expect((error as any Error).localizedDescription == error.description)
    let damage = RecordingDamage(path: "run.jsonl", line: 3, reason: "the line is repeated")
    #expect((damage as any Error).localizedDescription == "run.jsonl:3: the line is repeated")
    let recording = try ShopRecording()
    try recording.rewrite(recording.lines.dropLast().joined(separator: "\n") + "\n")
    let unfinished = try #require(RecordingUnfinished(recording.read()))
    #expect((unfinished as any Error).localizedDescription == unfinished.description)
    var player = ActionPlayer(try ShopRecording().read(), reducer: .identity)
    let difference = try #require(throws: PlaybackDifference.self) { try player.playToEnd() }
    #expect((difference as any Error).localizedDescription == difference.description)
  }

  @Test func checksumsCanBeTakenNowAndThen() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(
      path: path, app: "Shop", version: "1", checksumEvery: 3)
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    for _ in 0..<7 { store.dispatch(.count(.up)) }
    try recorder.close()
    let recording = try Recording<ShopAction, ShopState>(path: path)
    #expect(try recording.actions().filter { $0.checksum != nil }.map(\.number) == [3, 6])
    var player = ActionPlayer(recording, reducer: .shop)
    try player.playToEnd()
    // The two checksums, and that of the last state.
    #expect(player.verified == 3)
  }

  /// Up to and beyond the number at which a state may become a snapshot.
  @Test(arguments: [(0, 0), (6, 1_667)]) func checksumsAreTakenOnlyWhenTheyAreWanted(every: Int, count: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(
      path: path, app: "Shop", version: "1", checksumEvery: every)
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    for _ in 0..<10_002 { store.dispatch(.count(.up)) }
    try recorder.close()
    let taken = try Recording<ShopAction, ShopState>(path: path).actions().filter { $0.checksum != nil }
    #expect(taken.count == count)
    #expect(taken.allSatisfy { $0.number.isMultiple(of: 6) })
    #expect(try Recording<ShopAction, ShopState>(path: path).lastChecksum == nil || every > 0)
  }

  @Test func aRecordingThatIsClosedDuringAnActionEndsBeforeIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    store.dispatch(.count(.up))
    let subscription = store.subscribe { state in
      if state.counter.value == 2 { try? recorder.close() }
    }
    store.dispatch(.count(.up))
    subscription.cancel()
    let recording = try Recording<ShopAction, ShopState>(path: path)
    #expect(recording.count == 1)
    // The state of the second action is known, and is not the one after the first.
    #expect(recording.lastChecksum == nil)
    var player = ActionPlayer(recording, reducer: .shop)
    try player.playToEnd()
  }

  /// A recorder that is closed between the reducer and the queue: when it reads the state after an action.
  private struct ClosedWhileItReads: MiddlewareProtocol {
    let recorder: ActionRecorder<ShopAction, ShopState>

    func start(state: GetState<ShopState>) -> Effect<ShopAction> { recorder.start(state: state) }

    func handle(action: ShopAction, from source: ActionSource, state: GetState<ShopState>) -> Effect<ShopAction> {
      let closing = GetState {
        try? recorder.close()
        return state()
      }
      return recorder.handle(action: action, from: source, state: closing)
    }
  }

  @Test func aRecordingThatIsClosedBeforeAnActionIsInTheQueueEndsBeforeIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = ClosedWhileItReads(
      recorder: try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1"))
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(recorder)))
    store.dispatch(.count(.up))
    let recording = try Recording<ShopAction, ShopState>(path: path)
    #expect(recording.count == 0)
    #expect(recording.ending == .closed)
    #expect(recording.lastChecksum == nil)
    var player = ActionPlayer(recording, reducer: .shop)
    try player.playToEnd()
  }

  @Test func anActionThatIsInTheQueueAfterTheEndIsNotWritten() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = ClosedWhileItReads(
      recorder: try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1"))
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop, middleware: Middleware(recorder)))
    store.dispatch(.count(.up))
    try recorder.recorder.sync()
    #expect(try Recording<ShopAction, ShopState>(path: path).damage == nil)
  }

  @Test func aRecorderThatWaitsCreatesItsFileWithTheFirstAction() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = ActionRecorder<ShopAction, ShopState>(waitingAt: path, replacing: false, app: "Shop", version: "1")
    let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
    try recorder.sync()
    #expect(!FileManager.default.fileExists(atPath: path))
    store.dispatch(.tick)
    try recorder.sync()
    #expect(try Recording<ShopAction, ShopState>(path: path).count == 1)
  }

  @Test func severalRecordersMayWriteToADevice() throws {
    for _ in 0..<2 {
      let recorder = try ActionRecorder<Int, Int>(path: "/dev/null", app: "T", version: "1")
      #expect(throws: Never.self) {
        _ = try ActionRecorder<Int, Int>(path: "/dev/null", app: "T", version: "1")
      }
      try recorder.close()
    }
  }

  @Test func aPropertyThatIsRemovedHasAnEmptyChecksum() throws {
    struct Named: Codable, Sendable { var name: String? = "tea" }
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<Int, Named>(path: path, app: "T", version: "1")
    let store = Store(
      initialState: Named(), feature: Feature(reducer: Reducer { $1.name = nil }) <> .recorder(recorder))
    store.dispatch(1)
    try recorder.close()
    #expect(try Recording<Int, Named>(path: path).actions().map(\.parts) == [["name": ""]])
  }

  @Test func theLastStateIsNotUsedIfAnActionBeginsWhileItIsRead() {
    let pace = RecordPace(checksumEvery: nil)
    let state = pace.close {
      _ = pace.begin()
      return 1
    }
    #expect(state == nil)
    #expect(pace.begin() == nil)
  }

  private enum FragileAction: Codable, Sendable {
    case good
    case bad

    func encode(to encoder: any Encoder) throws {
      if case .bad = self { throw CocoaError(.coderInvalidValue) }
      var container = encoder.singleValueContainer()
      try container.encode("good")
    }

    init(from decoder: any Decoder) throws { self = .good }
  }

  @Test func everyActionAfterTheFirstFailureCountsAsNotWritten() throws {
    let directory = try TemporaryDirectory()
    let file = try RecordFile(creating: directory.path + "/run")
    var writer = RecordWriter<FragileAction, Int>(
      file: file, header: RecordingHeader(app: "Shop", version: "1"), pace: RecordPace(checksumEvery: 0),
      failure: RecordFailure())
    let actions: [FragileAction] = [.good, .bad, .good, .good]
    writer.write([.begin(0)], lost: 0, on: WritingThreads())
    for (index, action) in actions.enumerated() {
      let record = ActionRecord<FragileAction, RecordWriter<FragileAction, Int>.KeptState?>(
        number: index + 1, action: action, source: ActionSource(), time: 0, duration: 0, before: nil, after: nil)
      writer.write([.action(record)], lost: 0, on: WritingThreads())
    }
    #expect(writer.failed == 3)
  }

  @Test func aReplacedFileIsNotChangedButRenamedOver() throws {
    let directory = try TemporaryDirectory()
    let (path, link, second) = (directory.path + "/run", directory.path + "/link", directory.path + "/second")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try FileManager.default.linkItem(atPath: path, toPath: second)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "run")
    let file = RecordFile(waitingAt: link, replacing: true)
    try file.synchronize()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try file.write(Array("new".utf8))
    #expect(try String(contentsOfFile: link, encoding: .utf8) == "new")
    #expect(try String(contentsOfFile: second, encoding: .utf8) == "old")
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["link", "run", "second"])
  }

  @Test func aFileThatIsNeverWrittenIsNotReplaced() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    try RecordFile(waitingAt: path, replacing: true).synchronize()
    #expect(try directory.lines("run") == ["old"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["run"])
  }

  @Test func aNamedPipeWithoutAReaderIsAnError() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/pipe"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    #expect(throws: RecordingError.self) { try RecordFile(creating: path) }
  }

  @Test func anActionThatCannotBeEncodedLeavesTheActionsBeforeItInTheFile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<FragileAction, Int>(path: path, app: "Shop", version: "1")
    let reducer = Reducer<FragileAction, Int> { _, count in count += 1 }
    let store = Store(initialState: 0, feature: Feature(reducer: reducer) <> .recorder(recorder))
    store.dispatch(.good)
    store.dispatch(.good)
    let source = ActionSource(file: "Shop/Checkout.swift", function: "pay()", line: 12)
    store.dispatch(.bad, from: source)
    store.dispatch(.good)
    let error = #expect(throws: RecordingError.self) { try recorder.close() }
    #expect("\(error as Any)".contains("action 3, dispatched at \(source), or the state after it cannot be encoded: "))
    #expect(try Recording<FragileAction, Int>(path: path).count == 2)
  }

  /// This runs in a new process, which ends without closing the recorder.
  @Test func aRecordingIsWholeAfterARegularEnd() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    await #expect(processExitsWith: .success) { [path = path as String] in
      let recorder = try ActionRecorder<ShopAction, ShopState>(path: path, app: "Shop", version: "1")
      let store = Store(initialState: ShopState(), feature: Feature(reducer: .shop) <> .recorder(recorder))
      for _ in 0..<500 { store.dispatch(.count(.up)) }
      exit(0)
    }
    #expect(try Recording<ShopAction, ShopState>(path: path).count == 500)
  }
}
