// A tree of stores and a state-driven effect, as Puredux 2 has them.
import ReeluxCore

struct AppState: Equatable {
  var user = "Ada"
}

// snippet.feature
/// In place of the effect's state.
enum Loading: Equatable {
  case idle
  case running(attempt: Int)
  case failed(String)
}

struct ChatState: Equatable {
  var messages: [String] = []
  var loading = Loading.idle
}

enum ChatAction {
  case load
  case loaded([String])
  case failed(String)
}

let chatReducer = Reducer<ChatAction, ChatState> { action, chat in
  switch action {
  case .load:
    if case .running(let attempt) = chat.loading {
      chat.loading = .running(attempt: attempt + 1)
    } else {
      chat.loading = .running(attempt: 1)
    }
  case .loaded(let messages): chat = ChatState(messages: messages)
  case .failed(let reason): chat.loading = .failed(reason)
  }
}

/// Open while the state is `running`. Another attempt has another key, so it replaces the attempt before.
struct ChatMiddleware: FeedingMiddleware {
  let fetch: @Sendable () async throws -> [String]

  func handle(action: ChatAction, from source: ActionSource, state: GetState<ChatState>) -> Effect<ChatAction> { .none }

  func feeds(for state: ChatState) -> [Feed<ChatAction>] {
    guard case .running(let attempt) = state.loading else { return [] }
    return [
      Feed(key: attempt) { send in
        do { send(.loaded(try await fetch())) } catch { send(.failed("\(error)")) }
      }
    ]
  }
}
// snippet.end

// snippet.tree
let root = Store(initialState: AppState(), reducer: Reducer<String, AppState> { name, state in state.user = name })
let chat = root.child(
  initialState: ChatState(),
  feature: Feature(reducer: chatReducer, middleware: Middleware(ChatMiddleware(fetch: { ["Hello"] }))))

chat.dispatch(.load)
for await state in chat.states where state.local.messages == ["Hello"] { break }
print("\(chat.state.root.user): \(chat.state.local.messages)")
// snippet.end
precondition(chat.state.local == ChatState(messages: ["Hello"]))
