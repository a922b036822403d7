// A socket: the state opens it, a middleware writes to it, and its messages are sent as actions.
import ReeluxCore
import Synchronization

// snippet.socket
enum ChatAction: Sendable {
  case join, leave
  case say(String)
  case received(String)
  case notSent(String)
  case disconnected
}

struct ChatState: Sendable {
  var isJoined = false
  var connection = 1  // the number of the connection
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
    return .write(text, to: state().connection, otherwise: .notSent(text))
  }

  func feeds(for state: ChatState) -> [Feed<ChatAction>] {
    guard state.isJoined else { return [] }
    return [
      Feed(key: state.connection, messages: String.self) { messages, send in
        let socket = await connect()
        await withTaskGroup { group in
          group.addTask { for await text in socket.received { send(.received(text)) } }
          group.addTask { for await text in messages { await socket.send(text) } }
          for await _ in group { group.cancelAll() }  // when one direction ends, the other one ends too
        }
        send(.disconnected)
      }
    ]
  }
}

let chatReducer = Reducer<ChatAction, ChatState> { action, state in
  switch action {
  case .join: state.isJoined = true
  case .leave: state.isJoined = false
  case .say(let text): state.lines.append("me: \(text)")
  case .received(let text): state.lines.append(text)
  case .notSent(let text): state.lines.append("not sent: \(text)")
  case .disconnected: state.connection += 1  // the key of a new feed
  }
}
// snippet.end

/// Peers in memory, which answer each line. Each connection has a new one.
let peers = Mutex<[AsyncStream<String>.Continuation]>([])

@Sendable func connect() async -> Socket {
  let (received, peer) = AsyncStream.makeStream(of: String.self)
  peers.withLock { $0.append(peer) }
  return Socket(received: received) { text in peer.yield("peer: \(text)?") }
}

let chat = Store(
  initialState: ChatState(), reducer: chatReducer, middleware: Middleware(ChatMiddleware(connect: connect)))

chat.dispatch(.join)
chat.dispatch(.say("hello"))
for await state in chat.states where state.lines.count == 2 { break }
peers.withLock { $0[0].finish() }  // the connection is lost
for await state in chat.states where state.connection == 2 { break }
chat.dispatch(.say("again"))
for await state in chat.states where state.lines.count == 4 { break }
chat.dispatch(.leave)
await chat.dispatch(.say("bye")).finish()  // a feed's thread may still run the pipeline
print(chat.state.lines)
precondition(
  chat.state.lines == ["me: hello", "peer: hello?", "me: again", "peer: again?", "me: bye", "not sent: bye"])
precondition(peers.withLock { $0.count } == 2)
