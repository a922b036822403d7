// Records a run, replays it and shows it as a web page: `swift run recording-report FOLDER [ACTIONS]`.

import ReeluxCore
import Foundation
import ReeluxRecording

enum WalkAction: Codable, Hashable, Sendable {
  case moved(latitude: Double, longitude: Double)
  case wish(String)
  case answered(String, isSaved: Bool)
}

struct Walk: Codable, Hashable, Sendable {
  var latitude = 52.52
  var longitude = 13.40
  var steps = 0
  var pending: [String] = []
  var saved: Set<String> = []
  var refused: Set<String> = []
}

let reducer = Reducer<WalkAction, Walk> { action, state in
  switch action {
  case .moved(let latitude, let longitude):
    state.latitude = latitude
    state.longitude = longitude
    state.steps += 1
  case .wish(let title): state.pending.append(title)
  case .answered(let title, let isSaved):
    state.pending.removeAll { $0 == title }
    state.saved.remove(title)
    state.refused.remove(title)
    if isSaved { state.saved.insert(title) } else { state.refused.insert(title) }
  }
}

let folder = CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory()
let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000
let file = folder + "/walk.jsonl"
try? FileManager.default.removeItem(atPath: file)

// Record.
let recorder = try ActionRecorder<WalkAction, Walk>(path: file, app: "Walk", version: "1.0", seed: 7)
let store = Store(initialState: Walk(), feature: Feature(reducer: reducer) <> .recorder(recorder))
let titles = ["<script>alert(1)</script>", "Metropolis", "M & Co. \"#1\"", "Nosferatu"]
for step in 0..<count {
  let title = titles[step / 40 % titles.count]
  switch step % 40 {
  case 10: store.dispatch(.wish(title), info: "the visitor")
  case 25: store.dispatch(.answered(title, isSaved: step % 3 != 0), info: "the server")
  default:
    let angle = Double(step) / Double(count) * 12
    store.dispatch(.moved(latitude: 52.52 + sin(angle) * angle / 500, longitude: 13.4 + cos(angle) * angle / 300))
  }
}
try recorder.close()

// Play it again: the same states, every checksum compared.
let recording = try Recording<WalkAction, Walk>(path: file)
var player = ActionPlayer(recording, reducer: reducer)
try player.playToEnd()
print("\(player.count) actions, \(player.verified) checksums agree")

// Make a test of 100 actions.
let setting = GeneratedTest.Setting(imports: ["@testable import WalkApp"], state: "Walk", reducer: "reducer")
let test = try GeneratedTest(of: 11...110, in: recording, reducer: reducer, setting: setting)
try test.source.write(toFile: folder + "/walk-test.swift", atomically: true, encoding: .utf8)

// Show it.
let report = try RecordingReport(
  recording, reducer: reducer, title: "A walk <script>",
  hooks: ReportHooks(
    point: { moment in
      guard case .moved(let latitude, let longitude) = moment.action else { return nil }
      return ReportPoint(latitude: latitude, longitude: longitude)
    },
    places: { _ in [ReportPoint(latitude: 52.52, longitude: 13.4, name: "Cinema <script>")] },
    statuses: { moment in
      switch moment.action {
      case .moved: []
      case .wish(let title): [ReportStatus(lane: title, kind: .pending)]
      case .answered(let title, let isSaved):
        [ReportStatus(lane: title, kind: isSaved ? .settled : .rolledBack, note: isSaved ? "" : "refused")]
      }
    }),
  test: setting)
try report.write(to: folder + "/walk.html", replacing: true)
print("report in \(folder)/walk.html")
