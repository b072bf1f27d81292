import ContentModel
import HTTPTransport
import PropertyLists

/// The credentials of a container, by "Container credential provider" in Amazon's reference of SDKs
/// and tools.
struct ContainerCredentials: Sendable {
  private static let milliseconds = 2_000
  private static let server = "the credentials server of the container"

  private let url: String
  private let token: Token?

  /// The value of the header `Authorization`.
  private enum Token: Sendable {
    case text(String)
    /// A file that is read for each request, since the platform replaces it.
    case file(String)
  }

  /// Reads the variables of the container; `nil` without an address.
  ///
  /// - Throws: `.unusable` for an address to which no token may be sent.
  init?(environment: (String) -> String?) throws(TargetError) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    let relative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
    let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
    if let path = value(relative) {
      // Anything else could change the host.
      guard path.hasBytePrefix("/"), Self.isTarget(path) else {
        throw TargetError(.unusable, "\(relative) must be a path such as '/v2/credentials/…'")
      }
      url = "http://169.254.170.2\(path)"
    } else if let address = value(full) {
      guard Self.isAllowed(address) else {
        throw TargetError(
          .unusable,
          "\(full) must be 'https://…', or 'http://…' of this machine or of Amazon's container agents (169.254.170.2, 169.254.170.23, [fd00:ec2::23])"
        )
      }
      url = address
    } else {
      return nil
    }
    if let path = value("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
      token = .file(path)
    } else if let text = value("AWS_CONTAINER_AUTHORIZATION_TOKEN") {
      token = .text(try S3Settings.printable(text, of: "AWS_CONTAINER_AUTHORIZATION_TOKEN"))
    } else {
      token = nil
    }
  }

  private static func isTarget(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
  }

  private static func isAllowed(_ address: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: address.hasBytePrefix),
      isTarget(address)
    else { return false }
    let authority = address.dropFirst(scheme.utf8.count).prefix { !"/?".contains($0) }
    guard WebURL.isAuthority(authority) else { return false }
    return scheme == "https://" || LocalHost.isOfThisMachine(authority)
      || ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"].contains(
        LocalHost.withoutPort(authority))
  }

  func fetch(with requests: CredentialRequests) throws(TargetError) -> FetchedCredentials {
    var headers = [(name: "Accept", value: "application/json")]
    if let token = try authorization(with: requests) { headers.append(("Authorization", token)) }
    let request = HTTPRequest(.get, url, headers: headers)
    let result = requests.send(milliseconds: Self.milliseconds, isPassing: \.isOverload) { request }
    let answer: HTTPAnswer
    do { answer = try result.get() } catch { throw TargetError(error, from: Self.server) }
    guard answer.status == 200 else {
      throw TargetError(
        answer.isOverload ? .unreachable : .denied,
        noCredentials:
          "\(Self.server) answers with status \(answer.status): check the role of the task or pod")
    }
    guard let fetched = FetchedCredentials(json: answer, lead: requests.lead(of: answer)) else {
      throw TargetError(.failed, noCredentials: "\(Self.server) answers without whole credentials")
    }
    return fetched
  }

  private func authorization(with requests: CredentialRequests) throws(TargetError) -> String? {
    switch token {
    case nil: return nil
    case .text(let text): return text
    case .file(let path):
      let name = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
      guard let bytes = requests.file(path) else {
        throw TargetError(.denied, noCredentials: "\(name) names '\(path)', which cannot be read")
      }
      return try S3Settings.printable(String(decoding: bytes, as: UTF8.self), of: name)
    }
  }
}

extension FetchedCredentials {
  /// Reads the JSON with which containers and instances get credentials; `nil` for another body.
  init?(json answer: HTTPAnswer, lead: Int64) {
    guard let value = try? PropertyList.decode(answer.body, as: .json).value else { return nil }
    self.init(
      accessKey: value["AccessKeyId"]?.text, secretKey: value["SecretAccessKey"]?.text,
      sessionToken: value["Token"]?.text, end: value["Expiration"]?.text, lead: lead)
  }
}

/// Hosts that no other machine can answer for.
enum LocalHost {
  /// Returns a host without its port; an address of IPv6 keeps its brackets.
  static func withoutPort(_ authority: Substring) -> String {
    authority.hasPrefix("[")
      ? authority.prefix { $0 != "]" } + "]" : String(authority.prefix { $0 != ":" })
  }

  /// Returns whether a host is the loopback interface, by its number or as `localhost`.
  static func isOfThisMachine(_ authority: Substring) -> Bool {
    let host = withoutPort(authority)
    if ["localhost", "[::1]"].contains(host) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
