import ContentModel
import Synchronization
import TestServers

/// Version 2 of the metadata service of a virtual machine (IMDSv2), by "Use the Instance Metadata
/// Service" in Amazon's guide of EC2.
///
/// A class because a server's threads share it.
final class FakeMetadataService: Sendable {
  static let token = "AQAEAImdsT0ken=="
  static let role = "publisher"

  private let body: String
  private let hasRole: Bool

  /// Creates a service that gives this JSON as the role's credentials.
  init(_ body: String, hasRole: Bool = true) { (self.body, self.hasRole) = (body, hasRole) }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    let signed = SignedRequest(request)
    if signed.header("x-forwarded-for") != nil { return .answer(status: 403) }
    if request.path == "/latest/api/token" {
      guard request.method == "PUT" else { return .answer(status: 405) }
      let seconds = signed.header("x-aws-ec2-metadata-token-ttl-seconds").flatMap { Int($0) }
      guard let seconds, (1...21_600).contains(seconds) else { return .answer(status: 400) }
      return .answer(status: 200, body: Array(Self.token.utf8))
    }
    guard signed.header("x-aws-ec2-metadata-token") == Self.token else {
      return .answer(status: 401)
    }
    let folder = "/latest/meta-data/iam/security-credentials/"
    guard request.method == "GET", hasRole else { return .answer(status: 404) }
    switch request.path {
    case folder: return .answer(status: 200, body: Array("\(Self.role)\n".utf8))
    case folder + Self.role: return .answer(status: 200, body: Array(body.utf8))
    default: return .answer(status: 404)
    }
  }
}
