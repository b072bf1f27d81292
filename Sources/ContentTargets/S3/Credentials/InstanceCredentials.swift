import ContentModel
import HTTPTransport
import System

/// The credentials of a virtual machine, by version 2 of its metadata service (IMDSv2).
///
/// Version 1, which asks for no token, is not used.
struct InstanceCredentials: Sendable {
  /// The time for all requests together: other machines have no such service.
  private static let milliseconds: Int64 = 1_000
  private static let tokenSeconds = 21_600

  private let base: String
  /// The beginning of the error for a machine without the service, which names the other sources.
  private let lookedIn: String
  /// The end of that error.
  private let advice: String

  /// Reads the address of the service.
  ///
  /// - Throws: `.unusable` for an address to which no token may be sent.
  init(
    environment: (String) -> String?, lookedIn: String, advice: String
  ) throws(TargetError) {
    (self.lookedIn, self.advice) = (lookedIn, advice)
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    if let own = environment(name), !own.isEmpty {
      guard Self.isAllowed(own) else {
        throw TargetError(
          .unusable,
          "\(name) must be 'https://…', or 'http://…' of this machine, 169.254.169.254 or [fd00:ec2::254]"
        )
      }
      base = String(own.hasByteSuffix("/") ? own.dropLast() : own[...])
    } else {
      let mode = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE") ?? ""
      base =
        mode.lowercased() == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254"
    }
  }

  private static func isAllowed(_ address: String) -> Bool {
    guard WebURL.isPlain(address) else { return false }
    if address.hasBytePrefix("https://") { return true }
    let authority = address.dropFirst("http://".count).prefix { $0 != "/" }
    return LocalHost.isOfThisMachine(authority)
      || ["169.254.169.254", "[fd00:ec2::254]"].contains(LocalHost.withoutPort(authority))
  }

  /// Takes three steps within a second: requests a token, the name of the role, and its
  /// credentials.
  func fetch(with requests: CredentialRequests) throws(TargetError) -> FetchedCredentials {
    let start = requests.environment.milliseconds()
    func send(
      _ method: HTTPRequest.Method, _ path: String, _ header: (name: String, value: String)
    ) throws(TargetError) -> HTTPAnswer {
      let left = Self.milliseconds - (requests.environment.milliseconds() - start)
      guard left > 0 else { throw error("does not answer within 1 s") }
      let request = HTTPRequest(method, base + path, headers: [header])
      let answer: HTTPAnswer
      do { answer = try requests.send(request, milliseconds: Int(left)).get() } catch {
        switch error.kind {
        case .noLibrary: throw TargetError(error, from: "this machine's metadata service")
        case .tooLong: throw self.error("sent too long an answer")
        default: throw self.error("does not answer within 1 s")
        }
      }
      guard answer.status == 200 else {
        throw self.error(
          answer.status == 404 && method == .get
            ? "has no role for this machine" : "answered with status \(answer.status)")
      }
      return answer
    }
    let token = try send(
      .put, "/latest/api/token",
      ("X-aws-ec2-metadata-token-ttl-seconds", "\(Self.tokenSeconds)"))
    guard let text = Self.line(token, longest: 1_024) else { throw error("sent no token") }
    let header = (name: "X-aws-ec2-metadata-token", value: text)
    let folder = "/latest/meta-data/iam/security-credentials/"
    guard let role = Self.line(try send(.get, folder, header), longest: 128) else {
      throw error("has no role for this machine")
    }
    let answer = try send(.get, folder + URLEscape.segment(role), header)
    guard let fetched = FetchedCredentials(json: answer, lead: requests.lead(of: answer)) else {
      throw error("sent no whole credentials: check that the machine's role still exists")
    }
    return fetched
  }

  /// Returns the first line of an answer, if it can be sent in a header.
  private static func line(_ answer: HTTPAnswer, longest: Int) -> String? {
    let line = answer.body.prefix { $0 > 0x20 }
    guard (1...longest).contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    return String(decoding: line, as: UTF8.self)
  }

  private func error(_ reason: String) -> TargetError {
    TargetError(
      .denied,
      noCredentials: "\(lookedIn); this machine's metadata service \(reason); \(advice)")
  }
}
