import Testing

@testable import TestCommands

/// The locale files of a Rails application, as Debian ships them, are a string catalog.
@Suite struct RealInputTests {
  @Test func compilesRedminesLocaleFilesAsAStringCatalog() throws {
    let sandbox = try Sandbox()
    guard try fetchRedmine(into: sandbox) else {
      return print("skipped: the package 'redmine' cannot be had here")
    }
    try writeProject(sandbox, sources: "")
    let strict = try sandbox.run("check", "--diagnostics", "short")
    #expect(strict.status == 1)
    let expected = try sandbox.script("real-input.py", "duplicates", "content/strings/redmine")
    let places = expected.output.split(separator: "\n").map(String.init).sorted()
    #expect(places.count > 24)
    #expect(duplicatePlaces(strict.errors, severity: "error") == places)

    try writeProject(sandbox, sources: "sources:\n  strings/redmine/**: {duplicateKeys: warn}\n")
    let clock = ContinuousClock()
    var built = Outcome(status: -1, output: "", errors: "")
    let elapsed = try clock.measure {
      built = try sandbox.run("build", "--diagnostics", "short", "--quiet")
    }
    #expect(built.status == 0, "\(built.errors)")
    #expect(duplicatePlaces(built.errors, severity: "warning") == places)
    let equal = try sandbox.script("real-input.py", "compare", "content/strings/redmine", "out")
    #expect(equal.status == 0, "\(equal.errors)")
    #expect(Int(equal.output.prefix { $0 != " " }) ?? 0 > 10_000)
    // The test may run an unoptimized program, beside other tests. A release build needs a fraction
    // of this time.
    #expect(elapsed < .seconds(60))
    print("\(places.count) duplicate keys; \(equal.output.dropLast()); built in \(elapsed)")
  }

  /// Downloads the package once and keeps it in `/tmp` for later runs.
  private func fetchRedmine(into sandbox: Sandbox) throws -> Bool {
    let get = "apt-get -o Acquire::http::Timeout=20 -o Acquire::Retries=1"
    return try sandbox.shell(
      """
      cache="/tmp/contentc-redmine-$(id -u)" && mkdir -p -m 700 "$cache" && test -O "$cache" || exit 1
      if ! ls "$cache"/redmine_*.deb; then
        mkdir fetched && cd fetched || exit 1
        \(get) download redmine || { \(get) update && \(get) download redmine; } || exit 1
        mv redmine_*.deb "$cache" && cd ..
      fi
      mkdir -p content/strings && dpkg -x "$cache"/redmine_*.deb package \
      && cp -R package/usr/share/redmine/config/locales content/strings/redmine
      """
    ).status == 0
  }

  private func writeProject(_ sandbox: Sandbox, sources: String) throws {
    let files = try sandbox.shell("cd content/strings/redmine && ls *.yml").output
    let locales = files.split(separator: "\n").map { "\"\($0.dropLast(4))\"" }.joined(
      separator: ", ")
    try sandbox.write(
      "content/content.yaml",
      "app: redmine\nsourceLocale: en\nlocales: [\(locales)]\n\(sources)bundles:\n  strings: {include: strings/*}\n"
    )
  }

  /// Returns `file:line` of each reported duplicate key.
  private func duplicatePlaces(_ errors: String, severity: String) -> [String] {
    errors.split(separator: "\n").filter {
      $0.contains(": \(severity): ") && $0.hasSuffix("[duplicate-key]")
    }.map {
      line in
      line.split(separator: "/").last.map {
        $0.split(separator: ":").prefix(2).joined(separator: ":")
      } ?? ""
    }.sorted()
  }
}
