import ContentModel
import HTTPTransport
import PropertyLists

/// The source of a token that proves to Amazon who runs this command (OpenID Connect).
enum IdentityToken: Sendable {
  /// A file, and the setting that names it.
  case file(String, setting: String)
  /// The server that GitHub Actions names to a job, and the job's own token for that server.
  case github(url: String, bearer: String)

  /// The audience that the documentation of GitHub and Amazon recommends.
  private static let audience = "sts.amazonaws.com"
  /// The lengths of a token, by "AssumeRoleWithWebIdentity" in Amazon's reference of STS.
  private static let lengths = 4...20_000
  private static let githubMilliseconds = 10_000

  /// Finds the server of GitHub Actions; `nil` if the job has none.
  ///
  /// - Throws: `.unusable` if the address or the token of the job cannot be right.
  static func github(_ environment: (String) -> String?) throws(TargetError) -> IdentityToken? {
    let names = ["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
    let values = names.compactMap(environment).filter { !$0.isEmpty }
    guard values.count == 2 else { return nil }
    let parts = values[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard WebURL.isConfidential(String(parts[0])),
      parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else {
      throw TargetError(
        .unusable, "ACTIONS_ID_TOKEN_REQUEST_URL is not 'https://…', as GitHub Actions sets it")
    }
    let separator = parts.count > 1 ? "&" : "?"
    return .github(
      url: "\(values[0])\(separator)audience=\(audience)",
      bearer: try S3Settings.printable(values[1], of: names[1]))
  }

  /// Returns the token, which is read or requested anew.
  ///
  /// - Throws: if there is none, or if its length or its characters cannot be right.
  func read(with requests: CredentialRequests) throws(TargetError) -> String {
    switch self {
    case .file(let path, let setting):
      guard let bytes = requests.file(path) else {
        throw TargetError(
          .denied,
          noCredentials:
            "the file '\(path)' with the web identity token, which \(setting) names, cannot be read"
        )
      }
      // Editors and `echo` add a line break.
      let token = bytes.split { $0 <= 0x20 }
      guard token.count == 1, let only = token.first, let text = Self.token(Array(only)) else {
        throw TargetError(
          .denied,
          noCredentials:
            "the file '\(path)' with the web identity token, which \(setting) names, must have a token of 4 to 20,000 characters, and nothing else"
        )
      }
      return text
    case .github(let url, let bearer): return try Self.request(url, bearer, with: requests)
    }
  }

  private static func request(
    _ url: String, _ bearer: String, with requests: CredentialRequests
  ) throws(TargetError) -> String {
    let server = "GitHub's server for identity tokens"
    let result = requests.send(milliseconds: githubMilliseconds, isPassing: \.isOverload) {
      HTTPRequest(
        .get, url, headers: [("Accept", "application/json"), ("Authorization", "Bearer \(bearer)")])
    }
    let answer: HTTPAnswer
    do { answer = try result.get() } catch { throw TargetError(error, from: server) }
    guard answer.status == 200 else {
      throw TargetError(
        answer.isOverload ? .unreachable : .denied,
        noCredentials:
          "\(server) answers with status \(answer.status): give the job 'permissions: {id-token: write}', or run again"
      )
    }
    guard let value = try? PropertyList.decode(answer.body, as: .json).value["value"]?.text,
      let token = token(Array(value.utf8))
    else { throw TargetError(.failed, noCredentials: "\(server) answers without a token") }
    return token
  }

  private static func token(_ bytes: [UInt8]) -> String? {
    lengths.contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
      ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

/// What a JSON Web Token says of its bearer, for messages: these claims are no secrets.
struct TokenClaims {
  /// The claims that a role's trust policy compares, such as `sub 'repo:shop/site'`.
  let described: String

  /// Reads the subject and the audience, without checking the signature; `nil` if there are none.
  init?(of token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let digits = parts[1].utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
    guard let bytes = Base64.decode(String(decoding: digits, as: UTF8.self) + padding),
      let claims = try? PropertyList.decode(bytes, as: .json).value
    else { return nil }
    let described = ["sub", "aud"].compactMap { name in
      let text = claims[name]?.text ?? claims[name]?.items?.first?.text
      return text.flatMap { Self.isShown($0) ? "\(name) '\($0)'" : nil }
    }
    guard !described.isEmpty else { return nil }
    self.described = described.joined(separator: ", ")
  }

  private static func isShown(_ claim: String) -> Bool {
    claim.utf8.count <= 255 && claim.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
