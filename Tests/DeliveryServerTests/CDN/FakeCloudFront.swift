import ContentModel
import HTTPTransport
import Synchronization
import TestServers
import XML

/// A subset of CloudFront: authentication, limits on invalidations in progress, and idempotent
/// requests.
///
/// A class because a server's threads share it.
final class FakeCloudFront: Sendable {
  struct Invalidation {
    var id: String
    var items: [String]
    var ends: Double
  }

  private struct State {
    var faults: [ScriptedServer.Reply] = []
    var invalidations: [(reference: String, invalidation: Invalidation)] = []
  }

  static let distribution = "EDFDVBD6EXAMPLE"
  static let credentials = AmazonCredentials(
    accessKey: "AKIDEXAMPLE", secretKey: "s3cret/+=", sessionToken: "t0ken/+=")
  static let seconds = 10.0

  let clock: TestClock
  private let state = Mutex(State())

  init(_ clock: TestClock) { self.clock = clock }

  /// The invalidations in the order in which they began.
  var invalidations: [Invalidation] { state.withLock { $0.invalidations.map(\.invalidation) } }

  func fail(_ faults: [ScriptedServer.Reply]) { state.withLock { $0.faults += faults } }

  /// Begins an invalidation on behalf of another client.
  func begin(_ items: [String], reference: String = "other") {
    state.withLock { _ = add(items, reference, to: &$0) }
  }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    state.withLock { state in
      if !state.faults.isEmpty { return state.faults.removeFirst() }
      if let refusal = unauthorized(request) { return refusal }
      let place = "/2020-05-31/distribution/\(Self.distribution)/invalidation"
      if request.method == "POST", request.path == place { return create(request.body, &state) }
      let all = state.invalidations.map(\.invalidation)
      guard request.method == "GET",
        let found = all.first(where: { request.path == "\(place)/\($0.id)" })
      else {
        return Self.error(404, "NoSuchDistribution")
      }
      return answer(200, found)
    }
  }

  static func error(_ status: Int, _ code: String, _ message: String = "") -> ScriptedServer.Reply {
    let text = """
      <?xml version="1.0"?>
      <ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Error><Type>Sender</Type><Code>\(code)</Code>\
      <Message>\(message)</Message></Error><RequestId>1</RequestId></ErrorResponse>
      """
    return .answer(status: status, headers: ["Content-Type: text/xml"], body: Array(text.utf8))
  }

  private func create(_ body: [UInt8], _ state: inout State) -> ScriptedServer.Reply {
    guard let batch = XMLTree(body), batch.name == "InvalidationBatch",
      let paths = batch["Paths"],
      let reference = batch["CallerReference"]?.text
    else { return Self.error(400, "MalformedXML") }
    let items = paths["Items"]?.children.filter { $0.name == "Path" }.map(\.text) ?? []
    guard paths["Quantity"]?.text == "\(items.count)" else {
      return Self.error(400, "InconsistentQuantities")
    }
    guard items.allSatisfy(Self.isItem), !items.isEmpty else {
      return Self.error(400, "InvalidArgument")
    }
    if let known = state.invalidations.first(where: { $0.reference == reference })?.invalidation {
      return known.items == items
        ? answer(201, known) : Self.error(400, "InvalidationBatchAlreadyExists")
    }
    guard items.count <= 3_000 else { return Self.error(413, "BatchTooLarge") }
    let running =
      state.invalidations.filter { $0.invalidation.ends > clock.now }.flatMap(\.invalidation.items)
      + items
    let wildcards = running.count { $0.hasSuffix("*") }
    guard wildcards <= 15, running.count - wildcards <= 3_000 else {
      return Self.error(400, "TooManyInvalidationsInProgress")
    }
    return answer(201, add(items, reference, to: &state))
  }

  private func add(_ items: [String], _ reference: String, to state: inout State) -> Invalidation {
    let new = Invalidation(
      id: "I\(state.invalidations.count)", items: items, ends: clock.now + Self.seconds)
    state.invalidations.append((reference, new))
    return new
  }

  private func answer(_ status: Int, _ invalidation: Invalidation) -> ScriptedServer.Reply {
    let state = invalidation.ends > clock.now ? "InProgress" : "Completed"
    let text = """
      <?xml version="1.0"?>
      <Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>\(invalidation.id)</Id>\
      <Status>\(state)</Status><CreateTime>2026-11-21T12:00:00Z</CreateTime></Invalidation>
      """
    return .answer(status: status, body: Array(text.utf8))
  }

  /// Returns `true` for a tag, or for a path of RFC 1738's safe characters with `*` only at its
  /// end.
  private static func isItem(_ item: String) -> Bool {
    guard item.utf8.count <= 4_000, item.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return false
    }
    if item.hasPrefix("#") { return !item.contains("*") && item.utf8.count <= 257 }
    return item.hasPrefix("/") && !item.contains { "<>\"#{}|\\^~[]`".contains($0) }
      && !item.dropLast().contains("*")
  }

  /// Compares the request's signature with a freshly computed one.
  private func unauthorized(_ request: ScriptedServer.Request) -> ScriptedServer.Reply? {
    let headers = request.headers.compactMap { line in
      line.firstIndex(of: ":").map { (line[..<$0].lowercased(), String(line[$0...].dropFirst(2))) }
    }
    func header(_ name: String) -> String { headers.first { $0.0 == name }?.1 ?? "" }
    guard header("authorization").contains("Credential=\(Self.credentials.accessKey)/") else {
      return Self.error(
        403, "InvalidClientTokenId",
        "The security token \(header("x-amz-security-token")) is invalid.")
    }
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      return Self.error(405, "MethodNotAllowed")
    }
    let message = SignatureV4.Message(
      method: method, path: request.path, headers: [],
      bodyHash: Digest(of: request.body).hex)
    let signature = SignatureV4(.cloudFront, credentials: Self.credentials, region: "us-east-1")
    // The clock may have jumped since the request was signed.
    let isRight = (Int64(0)...60).contains { age in
      let right = signature.headers(of: message, host: header("host"), at: Int64(clock.now) - age)
      return right.last?.value == header("authorization")
    }
    guard isRight else {
      return Self.error(
        403, "SignatureDoesNotMatch",
        "The Canonical String should have been x-amz-security-token:\(header("x-amz-security-token")) s3cret/+="
      )
    }
    return nil
  }
}
