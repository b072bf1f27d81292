import ContentModel
import HTTPTransport
import PropertyLists
import Synchronization
import TestServers

@testable import ContentCaches
@testable import TestDelivery

/// A subset of Akamai's Fast Purge: authentication, quotas and rate limits.
///
/// A class because a server's threads share it.
final class FakeAkamai: Sendable {
  private struct State {
    var faults: [ScriptedServer.Reply] = []
    var nonces: Set<String> = []
    var purged: [(path: String, objects: [String])] = []
    var requests: Tokens
    var urls: Tokens
    var tags: Tokens
  }

  static let credentials = EdgeGridCredentials(
    clientToken: "akab-cl1ent", clientSecret: "s3cret/+=", accessToken: "akab-acc3ss")
  static let seconds = 5

  let clock: TestClock
  private let state: Mutex<State>

  init(_ clock: TestClock) {
    self.clock = clock
    state = Mutex(
      State(
        requests: Tokens(CDNPace.Bucket(100, perSecond: 50), clock),
        urls: Tokens(CDNPace.Bucket(10_000, perSecond: 200), clock),
        tags: Tokens(CDNPace.Bucket(5_000, perSecond: 500 / 60), clock)))
  }

  /// The purges in order, each with its path.
  var purged: [(path: String, objects: [String])] { state.withLock { $0.purged } }

  func fail(_ faults: [ScriptedServer.Reply]) { state.withLock { $0.faults += faults } }

  /// Takes tokens on behalf of the account's other clients.
  func take(urls: Int) { state.withLock { _ = $0.urls.tryTake(urls) } }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    state.withLock { state in
      if !state.faults.isEmpty { return state.faults.removeFirst() }
      if let refusal = unauthorized(request, &state.nonces) { return refusal }
      guard state.requests.tryTake(1) else { return Self.tooMany(state.requests, "", 50) }
      if request.path.hasPrefix("/ccu/v3/rate-limit-status/") { return Self.answer(200, "{}") }
      return purge(request, &state)
    }
  }

  private func purge(_ request: ScriptedServer.Request, _ state: inout State)
    -> ScriptedServer.Reply
  {
    guard request.body.count <= 50_000 else { return Self.answer(413, "{}") }
    let objects =
      (try? PropertyList.decode(request.body).value)?["objects"]?.items?.compactMap(\.text) ?? []
    guard request.method == "POST", !objects.isEmpty,
      request.headers.contains("Content-Type: application/json")
    else {
      return Self.answer(400, "{}")
    }
    switch request.path.split(separator: "/").dropLast().last {
    case "url":
      guard state.urls.tryTake(objects.count) else {
        return Self.tooMany(state.urls, "-Objects", 200)
      }
    case "tag":
      guard state.tags.tryTake(objects.count) else {
        return Self.tooMany(state.tags, "-Objects", 500 / 60)
      }
    default: return Self.answer(404, "{}")
    }
    state.purged.append((request.path, objects))
    return Self.answer(
      201,
      "{\"httpStatus\":201,\"detail\":\"Request accepted\",\"estimatedSeconds\":\(Self.seconds)}")
  }

  /// Compares the request's signature with a freshly computed one and rejects repeated nonces.
  private func unauthorized(_ request: ScriptedServer.Request, _ nonces: inout Set<String>)
    -> ScriptedServer.Reply?
  {
    func header(_ name: String) -> String {
      request.headers.first { $0.hasPrefix("\(name): ") }.map {
        String($0.dropFirst(name.count + 2))
      } ?? ""
    }
    let value = header("Authorization")
    let nonce =
      value.split(separator: ";").first { $0.hasPrefix("nonce=") }.map { String($0.dropFirst(6)) }
      ?? ""
    let sent = HTTPRequest(
      HTTPRequest.Method(rawValue: request.method) ?? .get,
      "http://\(header("Host"))\(request.path)",
      body: request.body)
    let signature = EdgeGridSignature(credentials: Self.credentials)
    // The clock may have jumped since the request was signed.
    let isRight = (Int64(0)...60).contains { age in
      signature.authorization(sent, at: Int64(clock.now) - age, nonce: nonce) == value
    }
    guard isRight, nonces.insert(nonce).inserted else {
      return Self.answer(
        401,
        "{\"title\":\"Not authorized\",\"detail\":\"The signature of \(value) does not match\"}")
    }
    return nil
  }

  private static func tooMany(_ bucket: Tokens, _ kind: String, _ perSecond: Double)
    -> ScriptedServer.Reply
  {
    let headers = [
      "X-Ratelimit-Remaining\(kind): \(Int(bucket.left))",
      "X-Ratelimit-Limit-Per-Second\(kind): \(perSecond)",
    ]
    return .answer(
      status: 429, headers: headers, body: Array("{\"title\":\"Rate Limit exceeded\"}".utf8))
  }

  private static func answer(_ status: Int, _ text: String) -> ScriptedServer.Reply {
    .answer(status: status, headers: ["Content-Type: application/json"], body: Array(text.utf8))
  }
}
