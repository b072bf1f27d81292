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

  @Test(arguments: ServerKind.all.map(\.name))
  func printsDeterministicConfigurations(name: String) throws {
    let first = try files(of: name)
    #expect(try first.map(\.text) == files(of: name).map(\.text))
    for (_, text) in first {
      #expect(text.hasSuffix("\n") && !text.contains("\n\n\n") && !text.contains("s-maxage="))
      #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    }
    let printed = try sandbox.run("server", name, "qa")
    if first.count > 1 { return #expect(printed.status == 64) }
    // Printed text has spaces in place of tabs.
    let words = [printed.output, first[0].text].map { $0.split(whereSeparator: \.isWhitespace) }
    #expect(words[0] == words[1])
  }

  @Test func helpNamesEachServer() throws {
    let help = try sandbox.run("server", "--help").output
    let words = Set(help.split { !$0.isLetter }.map(String.init))
    #expect(ServerKind.all.map(\.name).filter { !words.contains($0) } == [])
  }

  /// Of several files in one, a server would read a part.
  @Test(arguments: ["haproxy", "trafficserver"])
  func printsOnlyAConfigurationOfOneFile(name: String) throws {
    let printed = try sandbox.run("server", name, "qa")
    #expect(printed.status == 64 && printed.output.isEmpty, "\(printed)")
    for (file, _) in try files(of: name) {
      #expect(printed.errors.contains(file), "\(printed.errors)")
    }
    #expect(printed.errors.contains("'--into \(name)' writes "), "\(printed.errors)")
  }

  @Test func writesEachFile() throws {
    let outcome = try sandbox.run("server", "trafficserver", "qa", "--into", "etc/ats")
    #expect(outcome.status == 0, "\(outcome.errors)")
    for name in [
      "runroot.yaml", "records.config", "remap.config", "ip_allow.yaml", "storage.config",
    ] {
      #expect(sandbox.read("etc/ats/\(name)") != nil, "\(name)")
    }
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

  /// Returns the files of a server's configuration for `qa`.
  private func files(of server: String) throws -> [(name: String, text: String)] {
    let printed = try sandbox.succeed(["server", server, "qa", "--json"])
    return (printed?["files"]?.members ?? Members()).compactMap { name, text in
      text.text.map { (name, $0) }
    }
  }

  private func folder() throws -> String {
    let outcome = try sandbox.shell("pwd -P")
    return outcome.output.split(separator: "\n").first.map(String.init) ?? ""
  }
}
