import ContentSource
import Diagnostics
import Testing

@Suite struct CredentialTests {
  private func diagnostics(_ token: String) -> [Diagnostic] {
    let project = """
      app: shop
      sourceLocale: en
      locales: [en]
      channels:
        production: {target: site, url: "https://example.com", cdn: [{fastly: {service: ABC, token: \(token)}}]}
      """
    return ContentReader.read(ContentFolder(texts: ["content.yaml": project])).diagnostics
  }

  @Test(arguments: ["abc-def-0123", "'s3 cret'", "0123456789"])
  func refusesASecretWithoutShowingIt(token: String) throws {
    let found = diagnostics(token)
    #expect(found.map(\.id) == ["literal-credential"])
    let printed = DiagnosticPrinter(format: .human, color: false) { _ in Array("token: \(token)".utf8) }.print(found)
    #expect(!printed.contains(token))
    #expect(printed.contains("'token' on line 5"))
  }

  @Test func takesTheNameOfAnEnvironmentVariable() {
    #expect(diagnostics("FASTLY_TOKEN") == [])
  }
}
