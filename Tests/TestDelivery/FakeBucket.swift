import ContentModel
import Synchronization
import System
import TestServers

@testable import HTTPTransport

/// A bucket that accepts only the sessions of a `FakeTokenService`, and whose requests it checks.
///
/// It has what a publication needs: conditional writes, reads, removals and lists. A class because a
/// server's threads share it.
final class FakeBucket: Sendable {
  private struct File {
    var bytes: [UInt8]
    var headers: [String]
    var tag: String
  }

  private struct State {
    var files: [ExactString: File] = [:]
    var refusals: [String] = []
  }

  static let name = "flowers"

  private let service: FakeTokenService
  private let region: String
  private let state = Mutex(State())

  init(_ service: FakeTokenService, region: String = "us-east-1") {
    (self.service, self.region) = (service, region)
  }

  /// The keys of all files, in order.
  var keys: [String] {
    state.withLock { $0.files.keys.sorted().map(\.text) }
  }

  /// The codes with which requests were refused because of their credentials.
  var refusals: [String] { state.withLock { $0.refusals } }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    let signed = SignedRequest(request)
    if let code = refusal(of: signed) {
      state.withLock { $0.refusals.append(code) }
      return error(code == "ExpiredToken" ? 400 : 403, code, signed)
    }
    let root = "/\(Self.name)"
    if signed.path == root || signed.path == "\(root)/", request.method == "GET" {
      return list(signed)
    }
    guard signed.path.hasPrefix("\(root)/"),
      let key = URLEscape.unescaped(signed.path.dropFirst(root.count + 1))
    else { return error(404, "NoSuchBucket", signed) }
    return state.withLock { answer(signed, at: ExactString(key), in: &$0.files) }
  }

  /// Returns the code with which S3 refuses the credentials of a request; `nil` if they are right.
  private func refusal(of request: SignedRequest) -> String? {
    guard let token = request.header("x-amz-security-token") else { return "AccessDenied" }
    guard service.knows(token: token) else { return "InvalidToken" }
    guard let session = service.session(token: token) else { return "ExpiredToken" }
    guard session.accessKey == request.accessKey else { return "InvalidAccessKeyId" }
    let isSigned = request.isSigned(
      by: session.credentials, for: .s3, region: region, now: service.now())
    return isSigned ? nil : "SignatureDoesNotMatch"
  }

  private func answer(
    _ request: SignedRequest, at key: ExactString, in files: inout [ExactString: File]
  ) -> ScriptedServer.Reply {
    let file = files[key]
    switch request.request.method {
    case "GET", "HEAD":
      guard let file else { return error(404, "NoSuchKey", request) }
      return .answer(status: 200, headers: file.headers + ["ETag: \(file.tag)"], body: file.bytes)
    case "PUT":
      if request.header("if-none-match") == "*", file != nil {
        return error(412, "PreconditionFailed", request)
      }
      if let tag = request.header("if-match"), tag != file?.tag {
        return error(
          file == nil ? 404 : 412, file == nil ? "NoSuchKey" : "PreconditionFailed", request)
      }
      let tag = MD5.hash(of: request.request.body).map {
        String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
      }
      let kept = ["content-type", "content-encoding", "cache-control"]
      let headers = kept.compactMap { name in request.header(name).map { "\(name): \($0)" } }
      files[key] = File(
        bytes: request.request.body, headers: headers, tag: "\"\(tag.joined())\"")
      return .answer(status: 200, headers: ["ETag: \"\(tag.joined())\""])
    case "DELETE":
      files[key] = nil
      return .answer(status: 204)
    default: return error(405, "MethodNotAllowed", request)
    }
  }

  private func list(_ request: SignedRequest) -> ScriptedServer.Reply {
    let query = SignedRequest.form(request.query) ?? [:]
    guard query["list-type"] == "2" else { return error(501, "NotImplemented", request) }
    let prefix = query["prefix"] ?? ""
    let files = state.withLock { $0.files }
    let items = files.keys.sorted().filter { $0.text.hasPrefix(prefix) }.map { key in
      "<Contents><Key>\(key.text)</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified>"
        + "<ETag>\(files[key]?.tag ?? "")</ETag><Size>\(files[key]?.bytes.count ?? 0)</Size></Contents>"
    }
    let text =
      "<ListBucketResult><IsTruncated>false</IsTruncated>\(items.joined())</ListBucketResult>"
    return .answer(status: 200, body: Array(text.utf8))
  }

  private func error(
    _ status: Int, _ code: String, _ request: SignedRequest
  ) -> ScriptedServer.Reply {
    let token = request.header("x-amz-security-token") ?? ""
    let text = "<Error><Code>\(code)</Code><Message>Refused: \(token)</Message></Error>"
    return .answer(status: status, body: Array(text.utf8))
  }
}
