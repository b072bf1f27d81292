import ContentModel
import Diagnostics
import Foundation
import TestServers
import Testing
import Translations

@testable import TestCommands

/// The locale files of a Rails application, as Debian ships them, are a string catalog.
@Suite(.nightly) struct RealInputTests {
  @Test func compilesRedminesLocaleFilesAsAStringCatalog() throws {
    let sandbox = try Sandbox()
    try #require(try fetchRedmine(into: sandbox), "the package 'redmine' cannot be loaded")
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

  /// Every German text becomes another one and is imported back, in each format.
  ///
  /// `CONTENTC_LOCALES` names the locale files of another Rails application, such as `de.yml`.
  @Test(arguments: TranslationFormat.allCases)
  func exchangesRealTextsWithoutLoss(format: TranslationFormat) throws {
    let sandbox = try Sandbox()
    if let folder = ProcessInfo.processInfo.environment["CONTENTC_LOCALES"] {
      try sandbox.shell("mkdir -p content/strings && cp -R '\(folder)' content/strings/redmine")
    } else {
      try #require(try fetchRedmine(into: sandbox), "the package 'redmine' cannot be loaded")
    }
    // Each import compiles the whole project, so a few locales are enough.
    try sandbox.shell(
      "cd content/strings/redmine && ls | grep -vE '^(ar|de|en|ja)[.]yml$' | xargs rm")
    try writeProject(sandbox, sources: "sources:\n  strings/**: {duplicateKeys: warn}\n")
    func build(_ folder: String) throws -> Set<String> {
      let built = try sandbox.run(
        "build", "--quiet", "--out", folder, "--at", "2026-11-28T00:00:00Z")
      #expect(built.status == 0, "\(built.errors.suffix(500))")
      let objects = sandbox.files(below: folder).filter { $0.contains("objects/") }
      #expect(!objects.isEmpty)
      return Set(objects.map { String($0.dropFirst(folder.utf8.count)) })
    }
    let before = try build("out")
    let export = try sandbox.run(
      "translations", "export", "--locale", "de", "--to", format.name, "-o", "de")
    #expect(export.status == 0, "\(export.errors)")
    let original = try #require(sandbox.read("de"))
    let same = try sandbox.run("translations", "import", "de", "--json", "--diagnostics", "short")
    #expect(same.status == 0, "\(same.errors.suffix(500))")
    #expect(same.output.contains("\"changed\":0,"), "\(same.output)")

    let locales = TranslationLocales(
      source: try #require(LocaleTag("en")), targets: [try #require(LocaleTag("de"))])
    var file = try #require(
      TranslationFile.decode(original, path: "de", locales: locales).output.first)
    file.units = file.units.map { unit in
      unit.target == nil
        ? unit
        : TranslationUnit(id: unit.id, source: unit.source, target: "\(unit.target ?? "")ß: #'\"")
    }
    try sandbox.write("other", bytes: file.encoded().output)
    let other = try sandbox.run("translations", "import", "other", "--quiet")
    #expect(other.status == 0, "\(other.errors.suffix(500))")
    // Two objects of the build's record have the hashes of the sources, whose quotes differ.
    let recorded = 4
    #expect(try build("changed").symmetricDifference(before).count > recorded)
    let back = try sandbox.run("translations", "import", "de", "--quiet")
    #expect(back.status == 0, "\(back.errors.suffix(500))")
    #expect(try build("back").symmetricDifference(before).count == recorded)
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
