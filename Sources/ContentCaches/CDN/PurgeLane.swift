import Parallel
import HTTPTransport
import Platform
import Synchronization

/// The requests to one machine, or to one vendor's address.
///
/// After a request that fails for good, nothing more is sent there: wrong credentials stay wrong,
/// and one try after another at a machine that is down would take hours. A class, since the
/// requests share its state.
final class PurgeLane: Sendable {
  /// The number of times that a request is sent at most.
  static let tries = 6
  private static let firstMilliseconds = 500

  private struct State {
    var failure: String?
    /// Nothing is sent before this moment, as the cache has asked for.
    var pausedUntil = Int64.min
  }

  /// As in the address, with its port, and without a user.
  let host: String
  private let tasks: [CachePurgeRun.Task]
  private let state = Mutex(State())

  private init(host: String, tasks: [CachePurgeRun.Task]) {
    (self.host, self.tasks) = (host, tasks)
  }

  /// Why it did not get to the end; follows the cache's name in a sentence.
  var failure: String? { state.withLock { $0.failure } }

  /// Requests by the machine that they are sent to, in the order of the first to each.
  static func split(_ tasks: [CachePurgeRun.Task]) -> [PurgeLane] {
    var hosts: [String] = []
    var parts: [String: [CachePurgeRun.Task]] = [:]  // String keys: names of buckets are ours
    for task in tasks {
      let host = WebAddress(task.request.request.url)?.host ?? ""
      if parts[host] == nil { hosts.append(host) }
      parts[host, default: []].append(task)
    }
    return hosts.map { PurgeLane(host: $0, tasks: parts[$0] ?? []) }
  }

  /// Sends all, as many at once as the pace allows.
  func run(_ run: CachePurgeRun) {
    let limit = tasks.map(\.pace.atOnce).min() ?? 1
    _ = tasks.mapOverlapped(atOnce: max(limit, 1)) { task in
      guard self.failure == nil else { return }
      if let failure = self.see(task, through: run) {
        self.state.withLock { $0.failure = $0.failure ?? failure }
      } else {
        run.finish()
      }
    }
  }

  /// Sends a request until it is done; why it is not.
  private func see(_ task: CachePurgeRun.Task, through run: CachePurgeRun) -> String? {
    var task = task
    var tries = 0
    while true {
      guard waitUntilItMayBeSent(task, run) else {
        return "takes no more within the time that is left: its quota is used up"
      }
      switch run.verdict(on: task.request) {
      case .done: return nil
      case .refused(let reason): return reason
      case .begun(let next, let seconds):
        (task, tries) = (CachePurgeRun.Task(request: next, pace: task.pace), 0)
        guard wait(Self.milliseconds(seconds), run) else {
          return "has begun, but does not end in time"
        }
      case .again(let seconds, let reason):
        tries += 1
        guard tries < Self.tries else { return "\(reason) (tried \(tries) times)" }
        guard pause(seconds, after: tries, run) else {
          return "\(reason) (no time is left to try again)"
        }
      }
    }
  }

  private func waitUntilItMayBeSent(_ task: CachePurgeRun.Task, _ run: CachePurgeRun) -> Bool {
    var moment = run.moment(for: task)
    repeat {
      guard moment <= run.deadline else { return false }
      let now = run.surroundings.milliseconds()
      if moment > now { run.surroundings.sleep(Int(moment - now)) }
      moment = max(moment, state.withLock { $0.pausedUntil })
    } while moment > run.surroundings.milliseconds()
    return true
  }

  /// Waits as long as the cache says, and so do all requests to it; else a while, by chance ("full
  /// jitter").
  private func pause(_ seconds: Double?, after tries: Int, _ run: CachePurgeRun) -> Bool {
    let most = Self.firstMilliseconds << (tries - 1)
    guard let seconds else { return wait(Int(run.surroundings.random() % UInt64(most + 1)), run) }
    let moment = run.surroundings.milliseconds() + Int64(Self.milliseconds(seconds))
    state.withLock { $0.pausedUntil = max($0.pausedUntil, moment) }
    return moment <= run.deadline
  }

  private func wait(_ milliseconds: Int, _ run: CachePurgeRun) -> Bool {
    guard run.surroundings.milliseconds() + Int64(milliseconds) <= run.deadline else {
      return false
    }
    run.surroundings.sleep(milliseconds)
    return true
  }

  /// Whatever a server says, within a day.
  private static func milliseconds(_ seconds: Double) -> Int {
    seconds > 0 ? Int((min(seconds, 86_400) * 1_000).rounded(.up)) : 0
  }
}
