import HTTPTransport
import Synchronization
import System

/// The requests to one machine, or to one vendor's API.
///
/// After a permanent failure, the lane sends nothing more: wrong credentials stay wrong, and
/// retries at an unreachable machine would take hours. A class, since the requests share its state.
final class PurgeLane: Sendable {
  /// The largest number of attempts for a request.
  static let tries = 6
  private static let firstMilliseconds = 500
  /// The longest time of all pauses between the attempts, in seconds.
  static let pauseSeconds = ((firstMilliseconds << (tries - 1)) - firstMilliseconds + 999) / 1_000

  private struct State {
    var failure: String?
    /// `true` if the run knows that the machine is slow.
    var isTold = false
    /// The cache asked for a pause until this moment, in milliseconds.
    var pausedUntil = Int64.min
  }

  /// The host in the address, with its port and without a user.
  let host: String
  private let tasks: [CachePurgeRun.Task]
  private let state = Mutex(State())

  private init(host: String, tasks: [CachePurgeRun.Task]) {
    (self.host, self.tasks) = (host, tasks)
  }

  /// The reason for a failure, as the predicate of a sentence about the cache; `nil` for none.
  var failure: String? { state.withLock { $0.failure } }

  /// Groups requests by machine, in the order of their first requests.
  static func split(_ tasks: [CachePurgeRun.Task]) -> [PurgeLane] {
    var hosts: [String] = []
    var parts: [String: [CachePurgeRun.Task]] = [:]
    for task in tasks {
      let host = WebAddress(task.request.request.url)?.host ?? ""
      if parts[host] == nil { hosts.append(host) }
      parts[host, default: []].append(task)
    }
    return hosts.map { PurgeLane(host: $0, tasks: parts[$0] ?? []) }
  }

  /// Sends all requests, as many at once as the pace allows.
  func run(_ run: CachePurgeRun) {
    let limit = tasks.map(\.pace.atOnce).min() ?? 1
    _ = tasks.mapOverlapped(atOnce: max(limit, 1)) { task in
      guard self.failure == nil else { return }
      if let failure = self.complete(task, in: run) {
        self.state.withLock { $0.failure = $0.failure ?? failure }
      } else {
        run.finish()
      }
    }
  }

  /// Sends a request until it is complete, and tells the run once if the machine is slow; returns
  /// the reason for a failure.
  private func complete(_ task: CachePurgeRun.Task, in run: CachePurgeRun) -> String? {
    let problem = Mutex<String?>(nil)
    let slowStep = SlowStep("\(run.name) at \(host)") { machine in
      let isTold = self.state.withLock { state in
        defer { state.isTold = true }
        return state.isTold
      }
      if isTold { return }
      run.report(slow: machine, problem: problem.withLock { $0 }, at: self.host)
    }
    return slowStep.run {
      complete(task, in: run) { reason in problem.withLock { $0 = reason } }
    }
  }

  private func complete(
    _ task: CachePurgeRun.Task, in run: CachePurgeRun, noting note: (_ problem: String) -> Void
  ) -> String? {
    var task = task
    var tries = 0
    let limit = run.tries(at: host)
    while true {
      guard waitUntilMaySend(task, in: run) else {
        return "takes no more within the time that is left: its quota is used up"
      }
      switch run.verdict(on: task.request) {
      case .done: return nil
      case .refused(let reason): return reason
      case .begun(let next, let seconds):
        (task, tries) = (CachePurgeRun.Task(request: next, pace: task.pace), 0)
        guard wait(for: Self.milliseconds(seconds), in: run) else {
          return "has begun, and did not end in time"
        }
      case .again(let seconds, let reason):
        tries += 1
        note(reason)
        guard tries < limit else {
          return run.earlierFailure(at: host) ?? "\(reason) (tried \(tries) times)"
        }
        guard pause(for: seconds, after: tries, in: run) else {
          return "\(reason) (no time is left to try again)"
        }
      }
    }
  }

  private func waitUntilMaySend(_ task: CachePurgeRun.Task, in run: CachePurgeRun) -> Bool {
    var moment = run.moment(for: task)
    repeat {
      guard moment <= run.deadline else { return false }
      let now = run.environment.milliseconds()
      if moment > now { run.environment.sleep(Int(moment - now)) }
      moment = max(moment, state.withLock { $0.pausedUntil })
    } while moment > run.environment.milliseconds()
    return true
  }

  /// Waits as long as the cache asks, together with all other requests to it; otherwise for a
  /// random time ("full jitter").
  private func pause(for seconds: Double?, after tries: Int, in run: CachePurgeRun) -> Bool {
    let most = Self.firstMilliseconds << (tries - 1)
    guard let seconds else {
      return wait(for: Int(run.environment.random() % UInt64(most + 1)), in: run)
    }
    let moment = run.environment.milliseconds() + Int64(Self.milliseconds(seconds))
    state.withLock { $0.pausedUntil = max($0.pausedUntil, moment) }
    return moment <= run.deadline
  }

  private func wait(for milliseconds: Int, in run: CachePurgeRun) -> Bool {
    guard run.environment.milliseconds() + Int64(milliseconds) <= run.deadline else {
      return false
    }
    run.environment.sleep(milliseconds)
    return true
  }

  /// Returns whole milliseconds, at most those of a day.
  private static func milliseconds(_ seconds: Double) -> Int {
    seconds > 0 ? Int((min(seconds, 86_400) * 1_000).rounded(.up)) : 0
  }
}
