// The favourites alone, with a server that is slow and loses half of the requests.
import ReeluxCore
import ReeluxFavorites

let server = FavoritesStorage<String>.memory(["nosferatu-1922"])
let api = FavoritesAPI<String>.mock(
  latency: .uniform(.milliseconds(20) ... .milliseconds(200)), failures: FavoritesFailures(rate: 0.5), seed: 3,
  storage: server)
let store = Store(
  initialState: FavoritesState<String>(),
  feature: .favorites(api: api, policy: FavoritesPolicy(attempts: 2, backoff: Backoff(first: .milliseconds(100)))))

let subscription = store.subscribe { state in
  let shown = state.ids.map { state.isPending($0) ? "\($0)…" : $0 }
  let failed = state.failed.map { "\($0): \(state.failure(of: $0)?.reason ?? "")" }
  print("♥", shown.joined(separator: ", "), failed.isEmpty ? "" : "✗ \(failed.joined(separator: ", "))")
}

await store.dispatch(.load).finish()
for id in ["metropolis-1927", "sunrise-1927", "nosferatu-1922"] { store.dispatch(.toggle(id)) }
await store.settle()
await store.dispatch(.undo).finish()
await store.dispatch(.retryAll).finish()
print("the server holds \(try await server.read().ids).")
subscription.cancel()
