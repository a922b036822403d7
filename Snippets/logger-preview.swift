// The logger alone, with its own store: `swift run logger-preview`.

import ReeluxCore
import ReeluxLogger

enum LampAction: Sendable {
  case turn(on: Bool)
  case dim(to: Int)
  case unlock(code: String)
}

struct Lamp: Sendable {
  var isOn = false
  var brightness = 100
}

let lamp = Feature<LampAction, Lamp>(
  reducer: Reducer { action, state in
    switch action {
    case .turn(let isOn): state.isOn = isOn
    case .dim(let brightness): state.brightness = brightness
    case .unlock: break
    }
  })
// snippet.compose
let logger = Feature<LampAction, Lamp>.logger(to: .standardError, redacting: ["code"], folding: .bursts())
let store = Store(initialState: Lamp(), feature: lamp <> logger)
// snippet.end

store.dispatch(.turn(on: true))
for _ in 0..<37 { store.dispatch(.dim(to: 40)) }
store.dispatch(.unlock(code: "1234"))
