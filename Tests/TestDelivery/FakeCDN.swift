import HTTPTransport
import Synchronization

@testable import ContentCaches

/// An in-memory cache that enforces the vendor's documented rules and fails on demand.
///
/// A class because requests on several threads share its state.
final class FakeCDN: Sendable {
  /// An item that a request purges.
  enum Item: Hashable {
    case url(String)
    case key(String)
    case prefix(String)
    case everything
  }

  /// The fake's interpretation of a request.
  enum Reading {
    /// A purge of items, for one `Accept-Encoding` value if `variant` is set.
    case purge([Item], variant: String? = nil)
    /// A poll for the completion of an earlier purge.
    case poll
    case strange
  }

  struct Rules: Sendable {
    var read: @Sendable (HTTPRequest) -> Reading
    /// The header with the credentials, and the part that its value must contain.
    var credential: (name: String, part: String)?
    var refusal = 403
    var itemLimit = Int.max
    var bodyLimit = Int.max
    var requests: CDNPace.Bucket?
    var units: CDNPace.Bucket?
    var status = 200
    /// The headers of an accepted purge.
    var headers: [(name: String, value: String)] = []
    var success = "{}"
    var ended = "{}"
    var absent: Int?
    /// The status of the answer to the second purge: another operation is in progress.
    var conflict: Int?
  }

  /// A scripted failure that replaces an answer.
  enum Fault {
    case answer(HTTPAnswer)
    case failure(HTTPFailure)
  }

  private struct State {
    var items: [String: Set<Item>] = [:]
    var requests = 0
    var refusals: [Int] = []
    var purges = 0
    var moments: [Int64] = []
    var requestTokens = 0.0
    var unitTokens = 0.0
    var time: Int64 = 0
    var faults: [Fault] = []
  }

  private let rules: Rules
  private let clock: SimulatedClock
  private let state: Mutex<State>

  init(_ rules: Rules, clock: SimulatedClock, faults: [Fault] = []) {
    (self.rules, self.clock) = (rules, clock)
    state = Mutex(
      State(
        requestTokens: Double(rules.requests?.size ?? 0),
        unitTokens: Double(rules.units?.size ?? 0), faults: faults))
  }

  var requests: Int { state.withLock { $0.requests } }
  /// The statuses above 299 that the fake itself answered, without scripted faults and conflicts.
  var refusals: [Int] { state.withLock { $0.refusals } }
  /// The times at which requests arrived, in milliseconds.
  var moments: [Int64] { state.withLock { $0.moments } }

  /// Returns the items that a node was asked to forget, for one variant.
  func forgotten(at host: String, _ variant: String? = nil) -> Set<Item> {
    state.withLock { $0.items["\(host) \(variant ?? "")"] ?? [] }
  }

  /// Answers a request with the next scripted fault or by the vendor's rules.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    let fault = state.withLock { state in
      state.requests += 1
      state.moments.append(clock.milliseconds)
      return state.faults.isEmpty ? nil : state.faults.removeFirst()
    }
    switch fault {
    case .failure(let failure): throw failure
    case .answer(let answer): return answer
    case nil: break
    }
    return state.withLock { state in
      let answer = answer(request, &state)
      if answer.status > 299, answer.status != rules.conflict {
        state.refusals.append(answer.status)
      }
      return answer
    }
  }

  private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPAnswer {
    if let credential = rules.credential {
      let isRight = request.headers.contains {
        $0.name == credential.name && $0.value.contains(credential.part)
      }
      guard isRight else { return HTTPAnswer(status: rules.refusal) }
    }
    switch rules.read(request) {
    case .strange: return HTTPAnswer(status: 404)
    case .poll: return HTTPAnswer(status: 200, body: Array(rules.ended.utf8))
    case .purge(let items, let variant):
      guard request.body.count <= rules.bodyLimit else { return HTTPAnswer(status: 413) }
      guard items.count <= rules.itemLimit, !items.isEmpty else { return HTTPAnswer(status: 400) }
      guard hasTokens(items.count, &state) else {
        return HTTPAnswer(status: 429, headers: [("Retry-After", "3")])
      }
      state.purges += 1
      if let conflict = rules.conflict, state.purges == 2 { return HTTPAnswer(status: conflict) }
      let host = WebAddress(request.url)?.host ?? ""
      state.items["\(host) \(variant ?? "")", default: []].formUnion(items)
      return HTTPAnswer(
        status: rules.status, headers: rules.headers, body: Array(rules.success.utf8))
    }
  }

  private func hasTokens(_ units: Int, _ state: inout State) -> Bool {
    let seconds = Double(clock.milliseconds - state.time) / 1_000
    state.time = clock.milliseconds
    func refill(_ tokens: Double, _ bucket: CDNPace.Bucket) -> Double {
      min(Double(bucket.size), tokens + seconds * bucket.perSecond)
    }
    if let bucket = rules.requests { state.requestTokens = refill(state.requestTokens, bucket) }
    if let bucket = rules.units { state.unitTokens = refill(state.unitTokens, bucket) }
    // A tolerance of one millionth absorbs rounding errors.
    guard rules.requests == nil || state.requestTokens > 1 - 1e-6 else { return false }
    guard rules.units == nil || state.unitTokens > Double(units) - 1e-6 else { return false }
    state.requestTokens -= 1
    state.unitTokens -= Double(units)
    return true
  }
}
