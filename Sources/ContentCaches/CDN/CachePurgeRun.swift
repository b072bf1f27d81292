import ContentSource
import HTTPTransport
import Synchronization
import System

/// The purge of one cache.
///
/// A class, since its requests share quotas and counts on several threads.
final class CachePurgeRun: Sendable {
  struct Task: Sendable {
    let request: CDNRequest
    let pace: CDNPace
  }

  private struct Counts {
    var sent = 0
    var units = 0
    var done = 0
  }

  let cache: any CDN
  let environment: RequestEnvironment
  /// The moment after which nothing is sent, in milliseconds.
  let deadline: Int64
  private let plan: CachePurge.Plan
  private let send: CachePurge.Send
  private let progress: @Sendable (CachePurge.Progress) -> Void
  /// Receives the name of a machine once a request to it takes long.
  private let whenSlow: @Sendable (_ machine: String) -> Void
  private let whenNodeIsSlow: @Sendable (CachePurge.SlowNode) -> Void
  private let requestSeconds: Int
  private let pacer: PurgePacer
  private let failedNodes: FailedNodes
  /// The machines that have confirmed, and the number of all machines.
  private let nodes = Mutex((confirmed: [String](), count: 0))
  private let counts = Mutex(Counts())
  private let start: Int64

  init(
    _ cache: any CDN, plan: CachePurge.Plan, pacer: PurgePacer, failedNodes: FailedNodes,
    send: @escaping CachePurge.Send, environment: RequestEnvironment, seconds: Int,
    requestSeconds: Int, progress: @escaping @Sendable (CachePurge.Progress) -> Void,
    whenSlow: @escaping @Sendable (_ machine: String) -> Void,
    whenNodeIsSlow: @escaping @Sendable (CachePurge.SlowNode) -> Void
  ) {
    (self.cache, self.plan, self.send, self.environment) = (cache, plan, send, environment)
    start = environment.milliseconds()
    (self.pacer, self.failedNodes) = (pacer, failedNodes)
    (self.requestSeconds, self.whenNodeIsSlow) = (requestSeconds, whenNodeIsSlow)
    deadline = max(start, pacer.fullMoment(from: start)) + Int64(seconds) * 1_000
    (self.progress, self.whenSlow) = (progress, whenSlow)
  }

  var name: String { cache.name.rawValue }

  /// Sends all requests, in parallel for each machine, so that a failed machine delays no other.
  func outcome() -> CachePurge.Outcome {
    progress(CachePurge.Progress(cache: name, done: 0, total: plan.requests))
    let lanes = PurgeLane.split(
      plan.plans.flatMap { plan in plan.requests.map { Task(request: $0, pace: plan.pace) } })
    nodes.withLock { $0.count = lanes.count }
    _ = lanes.mapOverlapped(atOnce: 32) { lane in
      lane.run(self)
      if lane.failure == nil { self.nodes.withLock { $0.confirmed.append(lane.host) } }
    }
    let failed = lanes.filter { $0.failure != nil }.map(\.host)
    for lane in lanes { failedNodes.note(lane.failure, at: lane.host) }
    let failures = lanes.compactMap { lane in
      lane.failure.map { "\(name)\(lanes.count > 1 ? " at \(lane.host)" : "") \($0)" }
    }
    let counts = counts.withLock { $0 }
    return CachePurge.Outcome(
      cache: name, selectors: plan.selectors, requests: counts.sent, units: counts.units,
      seconds: Double(environment.milliseconds() - start) / 1_000,
      failure: failures.isEmpty ? nil : failures.joined(separator: "; "), failedNodes: failed)
  }

  /// The number of attempts for a request to a machine: one if the machine failed in an earlier round,
  /// because that purge is unfinished anyway.
  func tries(at host: String) -> Int { earlierFailure(at: host) == nil ? PurgeLane.tries : 1 }

  /// The reason for which a machine failed in an earlier round; `nil` if it did not.
  func earlierFailure(at host: String) -> String? { failedNodes.failure(at: host) }

  /// Reports that a machine is slow, and the state of the others.
  func report(slow machine: String, problem: String?, at host: String) {
    whenSlow(machine + (problem.map { ", which \($0)" } ?? ""))
    let (confirmed, count) = nodes.withLock { $0 }
    if count < 2 { return }
    let left = max(deadline - environment.milliseconds(), 0) / 1_000
    let most = tries(at: host) * requestSeconds + PurgeLane.pauseSeconds
    whenNodeIsSlow(
      CachePurge.SlowNode(
        cache: name, confirmed: confirmed, count: count,
        seconds: min(most, Int(left) + requestSeconds)))
  }

  /// Returns the moment at which a request may be sent, in milliseconds.
  func moment(for task: Task) -> Int64 {
    pacer.moment(for: task.request, at: task.pace, from: environment.milliseconds())
  }

  /// Sends a request once.
  func verdict(on request: CDNRequest) -> CDNVerdict {
    counts.withLock { counts in
      counts.sent += 1
      counts.units += request.units
    }
    let sent = cache.authorized(request, at: environment.now(), unique: environment.random())
    do {
      return cache.verdict(on: try send(sent), to: request)
    } catch {
      let reason = error.kind == .unconnected ? "cannot be reached" : "does not answer"
      return error.isPassing
        ? .again(afterSeconds: nil, "\(reason): \(error)") : .refused("\(reason): \(error)")
    }
  }

  /// Counts a finished request.
  func finish() {
    counts.withLock { counts in
      counts.done += 1
      progress(CachePurge.Progress(cache: name, done: counts.done, total: plan.requests))
    }
  }
}

/// The machines of a cache that failed in the last round of a purge.
///
/// A class, since all rounds share it.
final class FailedNodes: Sendable {
  private let failures = Mutex<[String: String]>([:])

  /// Notes the result of a round at a machine; `nil` for success.
  func note(_ failure: String?, at host: String) { failures.withLock { $0[host] = failure } }

  /// Returns why requests to a host failed; `nil` if none failed.
  func failure(at host: String) -> String? { failures.withLock { $0[host] } }
}
