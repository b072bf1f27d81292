import ContentSource
import Diagnostics
import Testing

@Suite struct CredentialTests {
  private func diagnostics(_ token: String) -> [Diagnostic] {
    diagnostics(cache: "fastly: {service: ABC, token: \(token)}")
  }

  private func diagnostics(cache: String) -> [Diagnostic] {
    let project = """
      app: shop
      sourceLocale: en
      locales: [en]
      channels:
        production: {target: site, url: "https://example.com", cdn: [{\(cache)}]}
      """
    return ContentReader.read(ContentFolder(texts: ["content.yaml": project])).diagnostics
  }

  @Test(arguments: ["abc-def-0123", "'s3 cret'", "0123456789"])
  func rejectsASecretWithoutShowingIt(token: String) throws {
    let found = diagnostics(token)
    #expect(found.map(\.id) == ["literal-credential"])
    let printed = DiagnosticPrinter(format: .human, color: false) { _ in
      Array("token: \(token)".utf8)
    }.print(found)
    #expect(!printed.contains(token))
    #expect(printed.hasPrefix("content/content.yaml:5:88: error: 'token' must be the name"))
  }

  @Test func acceptsTheNameOfAnEnvironmentVariable() {
    #expect(diagnostics("FASTLY_TOKEN") == [])
  }

  /// A mistake on the same line as a secret.
  @Test(arguments: [
    ("fastly: {servce: ABC, token: s3cret}", ["literal-credential", "unknown-key"]),
    ("fastly: {service: ABC, s3cret: token}", ["missing-key", "unknown-key"]),
    (
      "cloudflare: {plan: s3cret, token: s3cret}",
      ["literal-credential", "wrong-type", "missing-key"]
    ),
    ("fastly: {api: s3cret, token: CF_TOKEN}", ["wrong-type", "missing-key"]),
    ("fastly: [s3cret]", ["wrong-type"]),
    ("varnish: {nodes: ['http://user:s3cret@10.0.0.1/'], token: T}", ["literal-credential"]),
    ("varnish: {nodes: ['http://user:s3cret@\u{301}a/'], token: T}", ["literal-credential"]),
    (
      "fastly: {api: 'https://s3cret@example.com', token: T}",
      ["literal-credential", "missing-key"]
    ),
    ("fastly: {service: ABC}", ["missing-key"]),
    ("varnish: {nodes: []}", ["wrong-type"]),
    ("varnish: {nodes: 'http://10.0.0.1', keys: [origin, none]}", ["wrong-type"]),
  ])
  func showsNoLineThatMayContainASecret(cache: String, ids: [String]) {
    let found = diagnostics(cache: cache)
    #expect(found.map(\.id) == ids)
    let printed = DiagnosticPrinter(format: .human, color: false) { _ in
      Array("one\ntwo\nthree\nfour\nproduction: {cdn: [{\(cache)}]}\n".utf8)
    }.print(found)
    #expect(!printed.contains("{cdn: "), "\(printed)")
    #expect(found.allSatisfy { $0.location?.range?.start.line == 5 && $0.fixIt == nil })
  }

  @Test func namesTheKeysOfACache() {
    #expect(
      diagnostics(cache: "nginx: {nodess: 'http://10.0.0.1'}").flatMap(\.notes).map(\.message) == [
        "the settings of 'nginx' have the keys nodes, token"
      ])
  }

  @Test func acceptsAnAddressWithAnAtSignInItsPath() {
    #expect(diagnostics(cache: "varnish: {nodes: 'http://10.0.0.1/a@b'}") == [])
  }
}
