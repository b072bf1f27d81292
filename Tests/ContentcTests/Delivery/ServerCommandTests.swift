import ContentCaches
import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// The configurations that `contentc server` prints for a project.
@Suite struct ServerCommandTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      ttl: {app: 2m, edge: 90s, staleWhileRevalidate: 15s, staleIfError: 1h}
      channels:
        qa: {target: site}
        production:
          target: live
          url: https://content.example.com/v1/
          cdn: [{varnish: {token: SHIELD_TOKEN, keys: origin}}, squid, {fastly: {service: ID, token: FASTLY_TOKEN}}]
      E
      """)
  }

  @Test func printsTheSettingsOfTheContent() throws {
    let text = try print("nginx", "production")
    for expected in [
      "root \(try folder())/live;", "\"public, max-age=120\"", "\"^/v1(/.*)$\" $1;", "xkey ",
      "Surrogate-Key ",
      "\"max-age=90, stale-while-revalidate=15, stale-if-error=3600\"",
      "Surrogate-Control \"max-age=90+90\"",
      "listen 127.0.0.1:8080;",
    ] { #expect(text.contains(expected), "\(expected)") }
    #expect(!text.contains("Cache-Tag"))
    let cache = try print(
      "varnish", "production", "--upstream", "http://10.0.0.5", "--purgers", "10.0.0.0/8", "::1")
    for expected in [
      ".host = \"10.0.0.5\";", ".port = \"80\";", "\"10.0.0.0\"/8;", "\"::1\";",
      "std.getenv(\"SHIELD_TOKEN\")",
    ] { #expect(cache.contains(expected), "\(expected)") }
    #expect(!cache.contains("127.0.0.1\";\n}"))
  }

  @Test(arguments: ServerName.allCases.map(\.rawValue))
  func printsDeterministicConfigurations(name: String) throws {
    let first = try print(name, "qa")
    #expect(try first == print(name, "qa") && first.hasSuffix("\n") && !first.contains("\n\n\n"))
    #expect(
      !first.contains("s-maxage=") && first.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") }
    )
  }

  @Test func writesEachFile() throws {
    let outcome = try sandbox.run("server", "trafficserver", "qa", "--into", "etc/ats")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for name in [
      "runroot.yaml", "records.config", "remap.config", "ip_allow.yaml", "storage.config",
    ] {
      #expect(sandbox.read("etc/ats/\(name)") != nil, "\(name)")
    }
    #expect(try print("trafficserver", "qa").contains("# file: remap.config\n"))
  }

  @Test(arguments: [
    ["ngin", "qa"], ["nginx"], ["nginx", "qa", "--listen", "here"],
    ["nginx", "qa", "--upstream", "http://a/b"],
    ["varnish", "qa", "--upstream", "ftp://a"], ["caddy", "qa", "--upstream", "http://a"],
    ["nginx", "qa", "--root", "a b"], ["nginx", "qa", "--state", "/x;y"],
    ["varnish", "qa", "--purgers", "everybody"], ["varnish", "qa", "--purgers", "10.0.0.0/33"],
  ])
  func refusesInvalidArguments(arguments: [String]) throws {
    let outcome = try sandbox.run(Sandbox.binary, ["server"] + arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errors.hasPrefix("error: "))
  }

  private func print(_ arguments: String...) throws -> String {
    let outcome = try sandbox.run(Sandbox.binary, ["server"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  private func folder() throws -> String {
    let outcome = try sandbox.shell("pwd -P")
    return outcome.output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
