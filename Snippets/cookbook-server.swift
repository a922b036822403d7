// The cookbook's program about servers. It checks its own results.
import ReeluxCore
import Synchronization

// snippet.server
enum Request {
  @TaskLocal static var id = "none"
}

enum JobAction: Sendable {
  case submit(String)
  case finished(String)
}

let log = Mutex<[String]>([])
let jobs = Store(
  initialState: [String](),
  feature: Feature(
    reducer: Reducer<JobAction, [String]> { action, done in
      if case .finished(let job) = action { done.append(job) }
    },
    middleware: Middleware { action, source, state in
      guard case .submit(let job) = action else { return .none }
      return .task {
        log.withLock { $0.append("\(Request.id): \(job)") }  // the id of the request that submitted the job
        return .finished(job)
      }
    }),
  carries: [CarriedTaskLocal(Request.$id)])

await withTaskGroup { group in
  for number in 1...3 {
    group.addTask {
      await Request.$id.withValue("request \(number)") { await jobs.dispatch(.submit("job \(number)")).finish() }
    }
  }
}
// snippet.end
precondition(log.withLock { $0.sorted() } == ["request 1: job 1", "request 2: job 2", "request 3: job 3"])

print("servers: as the cookbook shows")
