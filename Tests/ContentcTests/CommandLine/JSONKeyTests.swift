import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// Compares the keys that commands declare with those that they print, and with the documentation.
@Suite("The keys of --json", .serialized)
struct JSONKeyTests {
  /// A public key, as base64.
  private static let otherKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  /// The keys that these runs do not print.
  ///
  /// They need caches, a bucket, or an earlier failure.
  private static let unreached: Set = [
    "explain unconsulted[]", "purge unlisted[]", "purge unrestored.*[]", "publish commit",
    "publish nextDate",
    "publish embargoUntil",
    "publish due", "publish takenOver.release", "publish takenOver.purge",
    "publish takenOver.maintenance", "status channels.*.nextDate",
    "status channels.*.embargoUntil", "diff sends[].kind", "diff sends[].objects",
    "diff sends[].bytes",
    "diff sends[].bundles.*", "explain when.embargoUntil", "explain when.inBundle",
    "explain leftOut[].when.embargoUntil", "explain leftOut[].when.inBundle",
    "status channels.*.commit",
    "history releases[].commit", "publish url", "publish caches[].name",
    "publish caches[].requests",
    "publish caches[].seconds",
    "publish caches[].ok", "publish freshSeconds", "publish traffic.requests",
    "publish traffic.sent",
    "publish traffic.received", "status channels.*.url",
    "status channels.*.unfinishedPurges[].sequence",
    "status channels.*.unfinishedPurges[].release", "status channels.*.unfinishedPurges[].reason",
    "purge purges[].left[]", "purge purges[].freshSeconds", "purge purges[].caches[].name",
    "purge purges[].caches[].requests", "purge purges[].caches[].seconds",
    "purge purges[].caches[].ok", "purge sent.purges[]", "purge sent.objects", "purge sent.done",
    "purge sent.caches[].name", "purge sent.caches[].requests", "purge sent.caches[].seconds",
    "purge sent.caches[].ok", "purge sent.left[]", "purge sent.readBack",
    "purge sent.freshSeconds", "status channels.*.unconfirmedCaches[].name",
    "status channels.*.unconfirmedCaches[].purges[]", "status channels.*.missingPurges[]",
    "purge caches[].quotas.*.atOnce", "purge caches[].quotas.*.perSecond", "purge restoredFrom",
    "purge sources.*[]", "purge withdrawn.*[]", "maintenance caches[].name",
    "maintenance caches[].requests", "maintenance caches[].seconds", "maintenance caches[].ok",
    "maintenance freshSeconds", "publish signed",
  ]

  /// Returns the paths and values in a result, except for those that every result has.
  ///
  /// Returns a value of type `any` as a whole, without its members.
  private static func leaves(
    _ value: Value, of section: ResultSection, at path: [String] = []
  ) -> [(path: [String], value: Value)] {
    if section.keys.contains(where: { $0.type == .any && $0.matches(path) }) {
      return [(path, value)]
    }
    if let members = value.members {
      let own = members.filter { name, _ in
        !path.isEmpty || !ResultSchema.common.contains { $0.path == name }
      }
      return own.flatMap { leaves($0.value, of: section, at: path + [$0.key]) }
    }
    if let items = value.items {
      return items.flatMap { leaves($0, of: section, at: path + ["[]"]) }
    }
    return [(path, value)]
  }

  /// The runs of commands that need more than their examples, in a published project.
  ///
  /// Runs with `!` only prepare others.
  private static let runs: [String: [String]] = [
    "explain": [
      "explain product/country-charm --locale fr-CA --device ipad",
      "explain product/timed --country FR --app 2.0 --at 2020-01-01T00:00:00Z",
    ],
    "coverage": ["coverage", "coverage --locale fr", "coverage --datatype product"],
    "translations export": ["translations export --locale fr --to csv -o fr.csv"],
    "translations import": [
      "!translations export --locale fr --to csv -o fr.csv",
      "translations import fr.csv --dry-run", "translations import fr.csv",
    ],
    "translations lock": ["translations lock"],
    "convert": ["convert content/content.yaml --to json -o a.json"],
    "publish": [
      "publish qa --message Three --by me --settings settings.yaml", "publish qa",
      "rollback qa --to 1", "promote qa qa",
      "publish qa --message 'And back'",
    ],
    "diff": ["diff fresh", "diff old"],
    "status": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml", "status",
      "status signed --settings signers.yaml",
    ],
    "history": ["!purge qa product/country-charm --reason x", "history qa"],
    "staleness": ["staleness"], "prune": ["prune qa --dry-run", "prune qa"],
    "purge": [
      "purge qa product/country-charm --reason x --dry-run",
      "purge qa product/country-charm --reason x --settings settings.yaml",
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "purge signed product/country-charm --reason x --dry-run --settings signers.yaml",
      "!publish cached", "purge cached product/country-charm --reason x --dry-run",
    ],
    "maintenance": [
      "maintenance on qa --from 2099-01-01T00:00:00Z --until 2099-02-01T00:00:00Z",
      "maintenance status",
      "maintenance off qa", "maintenance on qa --settings settings.yaml", "maintenance status",
    ],
    "notify": ["notify qa", "notify qa --settings settings.yaml"],
    "server": ["server nginx qa"],
    "bake": ["bake qa --to App", "bake qa --to App --check"],
    "keys init": [
      "keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "keys add signed --release \(otherKey) --fresh \(otherKey)",
      "keys remove signed --key release", "keys recover signed --release 3 --purge 0",
      "keys sign signed --with secrets/keys.pem --expect HASH",
    ],
    "keys show": ["!keys init signed --new secrets", "keys show signed"],
    "keys drop": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "!keys renew signed", "!keys sign signed --with secrets/keys.pem --expect HASH",
      "!keys renew signed", "!keys sign signed --with secrets/keys.pem --expect HASH",
      "!keys renew signed", "!keys sign signed --with secrets/keys.pem --expect HASH",
      "keys drop signed --below 3 --yes",
    ],
    "keys accept": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "keys accept signed signed/signed/config.plist",
    ],
    "sign folder": [
      "!keys init signed --new secrets", "publish signed --draft draft",
      "sign draft --expect HASH --with secrets/release.pem",
      "sign export draft --expect HASH --to messages", "!sign import draft",
      "resign signed --draft draft2",
    ],
    "resign": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "resign signed --settings signers.yaml",
    ],
    "verify": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "verify signed/signed/config.plist --channel signed --objects",
      "verify content/content.yaml --channel signed",
    ],
  ]

  private static func prepared() throws -> Sandbox {
    let sandbox = try Sandbox(WorkedExample.building)
    let channels =
      "channels: {signed: {target: signed, signing: {keys: keys/signed}}, old: {target: old}, fresh: {target: fresh}, far: {target: 's3://nowhere/x'}, cached: {target: cached, url: 'http://127.0.0.1:9/', "
      + "cdn: [{varnish: {nodes: ['http://127.0.0.1:9']}}]}, qa: {target: site, cdn: [fastly]}}"
    try sandbox.shell(
      "sed -i '/^channels:/,$d' content/content.yaml && echo \"\(channels)\" >> content/content.yaml"
    )
    try sandbox.write(
      "content/entries/product/timed.yaml",
      "title: Timed\nprice: 1\nwhen: {country: FR, from: '2030-01-01T00:00:00Z'}\n"
        + "badges: [{label: All}, {label: Late, when: {country: BE}}]\n")
    try sandbox.write(
      "settings.yaml",
      "notify: [{channel: qa, command: ['true']}, {channel: qa, command: ['false']}]\n")
    try sandbox.write(
      "signers.yaml",
      "signers: [{channel: signed, role: release, file: secrets/release.pem}, {channel: signed, role: fresh, file: secrets/release.pem}, {channel: signed, role: keys, file: none.pem}]\n"
    )
    try sandbox.write("content/maintenance.yaml", "title: Back soon\nmessage: Wait\n")
    for channel in ["qa", "old"] {
      try #require(
        try sandbox.run("publish", channel, "--message", "One", "--by", "me").status == 0)
    }
    try sandbox.shell(
      "sed -i 's/^price: .*/price: 41.5/' content/entries/product/country-charm.yaml")
    return sandbox
  }

  /// Adds a channel whose config is older than a purge.
  private static func restoreConfig(in sandbox: Sandbox) throws {
    try sandbox.shell(
      "sed -i 's/^channels: {/channels: {restored: {target: restored}, /' content/content.yaml")
    try #require(try sandbox.run("publish", "restored").status == 0)
    try sandbox.shell("cp restored/restored/config.plist backup")
    try #require(
      try sandbox.run("purge", "restored", "product/country-charm", "--reason", "x").status == 0)
    try sandbox.shell("cp backup restored/restored/config.plist")
  }

  /// Returns the lines that print the keys of a section; those of its first command's examples if
  /// there are no others.
  private static func lines(of section: ResultSection) -> [String] {
    let own = section.commands.flatMap { runs[$0.name] ?? [] }
    return own.isEmpty ? section.commands[0].examples.map { String($0.dropFirst(9)) } : own
  }

  /// Returns the hash that a line expects: that of the draft, or of the newest key document.
  private static func hash(for line: String, in sandbox: Sandbox) throws -> String {
    guard line.contains("keys sign") else {
      return Digest(of: sandbox.read("draft/draft.json") ?? []).hex
    }
    let shown = try sandbox.run("keys", "show", "signed").output
    return shown.matches(of: /SHA-256   ([0-9a-f]{64})/).last.map { String($0.output.1) } ?? ""
  }

  /// `PreviewCommandTests` reads what the preview prints.
  @Test(
    .timeLimit(.minutes(3)),
    arguments: ResultSection.all.filter { !$0.keys.isEmpty && !$0.commands[0].listens })
  func declaresEveryPrintedKey(section: ResultSection) throws {
    let sandbox = try Self.prepared()
    if section.title == "status" { try Self.restoreConfig(in: sandbox) }
    var seen: Set<ResultKey> = []
    for line in Self.lines(of: section) {
      let hash = try Self.hash(for: line, in: sandbox)
      let words = ListedCommand.words(
        of: "contentc " + line.drop { $0 == "!" }.replacing("HASH", with: hash))
      let outcome = try sandbox.run(Sandbox.binary, words + ["--json"])
      if line.hasPrefix("!") {
        try #require(outcome.status == 0, "\(line): \(outcome)")
        continue
      }
      let result = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
      #expect(result["exitStatus"]?.number == Int(outcome.status), "\(line)")
      let command = ListedCommand.named(by: words) ?? section.commands[0]
      #expect(command.possibleStatuses.contains(outcome.status), "\(line)")
      let leaves = Self.leaves(result, of: section)
      for (path, value) in leaves {
        let matching = section.keys.filter { $0.matches(path) }
        #expect(
          matching.contains { $0.type.accepts(value) },
          "\(line): \(path.joined(separator: ".")) is not declared, or its type is not \(value)")
        seen.formUnion(matching)
      }
      // A command that fails may print no keys of its own.
      let missing = section.keys.filter { key in
        !leaves.isEmpty && !key.isOptional && !key.steps.contains("[]")
          && !leaves.contains { key.matches($0.path) }
      }
      #expect(missing.isEmpty, "\(line): \(missing.map(\.path)) are declared, and missing")
    }
    let unseen = section.keys.filter {
      !seen.contains($0)
        && !Self.unreached.contains("\(section.commands[0].name) \($0.path.filter { $0 != "?" })")
    }
    #expect(unseen.isEmpty, "\(section.title): nothing printed \(unseen.map(\.path))")
  }

  /// The sections of the commands follow those about all commands.
  @Test func documentsEveryKey() throws {
    let page = try Sandbox.checkedOut("docs/json.md")
    let start = "\n## \(try #require(ResultSection.all.first).title)\n"
    let general = page[..<(try #require(page.firstRange(of: start)).lowerBound)]
    let sections = ResultSection.all.map { "\n\($0.text)" }
    try CheckedOutFiles.expect("docs/json.md", toBe: general + sections.joined())
  }

  @Test func writesTheSchema() throws {
    let text = try ResultSchema.text()
    let schema = try PropertyList.decode(Array(text.utf8), as: .json).value
    let names = try #require(schema["$defs"]?.members).keys
    #expect(Set(names) == Set(ListedCommand.all.map(\.name)))
    try CheckedOutFiles.expect("docs/json-schema.json", toBe: text)
  }
}
