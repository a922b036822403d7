// A socket: the state opens it, a middleware writes to it, and its messages are sent as actions.
import ReeluxCore

// snippet.socket
enum ChatAction: Sendable {
  case join, leave
  case say(String)
  case received(String)
  case notSent(String)
}

struct ChatState: Sendable {
  var isJoined = false
  var lines: [String] = []
}

/// The functions of a socket that the app needs; `URLSessionWebSocketTask` has them under other names.
struct Socket: Sendable {
  var received: AsyncStream<String>
  var send: @Sendable (String) async -> Void
}

struct ChatMiddleware: FeedingMiddleware {
  let connect: @Sendable () async -> Socket

  func handle(action: ChatAction, from source: ActionSource, state: GetState<ChatState>) -> Effect<ChatAction> {
    guard case .say(let text) = action else { return .none }
    return .write(text, to: "chat", otherwise: .notSent(text))
  }

  func feeds(for state: ChatState) -> [Feed<ChatAction>] {
    guard state.isJoined else { return [] }
    return [
      Feed(key: "chat", messages: String.self) { messages, send in
        let socket = await connect()
        async let receiving: Void = { for await text in socket.received { send(.received(text)) } }()
        for await text in messages { await socket.send(text) }
        await receiving
      }
    ]
  }
}
// snippet.end

/// A peer in memory, which answers each line.
let (fromPeer, peer) = AsyncStream.makeStream(of: String.self)
let socket = Socket(received: fromPeer) { text in peer.yield("peer: \(text)?") }

let chat = Store(
  initialState: ChatState(),
  reducer: Reducer<ChatAction, ChatState> { action, state in
    switch action {
    case .join: state.isJoined = true
    case .leave: state.isJoined = false
    case .say(let text): state.lines.append("me: \(text)")
    case .received(let text): state.lines.append(text)
    case .notSent(let text): state.lines.append("not sent: \(text)")
    }
  },
  middleware: Middleware(ChatMiddleware(connect: { socket })))

chat.dispatch(.join)
chat.dispatch(.say("hello"))
for await state in chat.states where state.lines.count == 2 { break }
chat.dispatch(.leave)
chat.dispatch(.say("bye"))
print(chat.state.lines)
precondition(chat.state.lines == ["me: hello", "peer: hello?", "me: bye", "not sent: bye"])
