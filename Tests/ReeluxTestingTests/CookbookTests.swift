import ReeluxCore
import ReeluxTesting
import Testing

// The cookbook shows this feature and its test.

// snippet.time
struct Reminder: Equatable {
  var text = ""
  var isDue = false
}

enum ReminderAction { case set(String), due }

extension Feature where Action == ReminderAction, State == Reminder {
  static func reminder(clock: any Clock<Duration>) -> Feature {
    Feature(
      reducer: Reducer { action, reminder in
        switch action {
        case .set(let text): reminder = Reminder(text: text)
        case .due: reminder.isDue = true
        }
      },
      middleware: Middleware { action, source, state in
        guard case .set = action else { return .none }
        return .send(.due).delay(for: .seconds(3600), clock: clock).cancellable(id: "due", cancelInFlight: true)
      })
  }
}

@Test func aReminderIsDueAnHourLater() async {
  let clock = TestClock()
  let store = TestStore(initialState: Reminder(), feature: .reminder(clock: clock))
  await store.send(.set("Cinema")) { $0.text = "Cinema" }
  await clock.advance(by: .seconds(3599))  // nothing happens
  await clock.advance(by: .seconds(1))
  await store.receive(.due) { $0.isDue = true }
  await store.assertFinished()
}
// snippet.end
