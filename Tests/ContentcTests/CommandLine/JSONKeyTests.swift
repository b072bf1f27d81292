import ContentModel
import PropertyLists
import TestInputs
import TestServers
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// Compares the keys that commands declare with those that they print, and with the documentation.
///
/// `DeclaredKeys` compares the results of all tests with the declared keys: no command prints another
/// key. This suite checks the converse: each declared key is printed by some run.
@Suite("The keys of --json", .serialized, .waiting)
struct JSONKeyTests {
  /// A public key, as base64.
  private static let otherKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  /// The keys that these runs do not print, each with its reason.
  private static let unprinted = [
    "publish traffic.requests": "only of a bucket: `BucketPublishingTests` reads it",
    "publish traffic.sent": "only of a bucket: `BucketPublishingTests` reads it",
    "publish traffic.received": "only of a bucket: `BucketPublishingTests` reads it",
  ]

  /// The runs of commands that need more than their examples, in a published project.
  ///
  /// Runs with `!` only prepare others. They succeed, or end with 69 because a cache refuses. Lines
  /// with `$` are shell commands.
  private static let runs: [String: [String]] = [
    "explain": [
      "explain product/country-charm --locale fr-CA --device ipad",
      "explain product/timed --country FR --app 2.0 --at 2020-01-01T00:00:00Z",
      "explain product/secret --at 2020-01-01T00:00:00Z",
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
      "publish qa --message 'And back'", "publish qa --if-due", "publish cached",
    ],
    "keys on": [
      "$ cp -R content plain && sed -i 's/, signing: {[^}]*}//' plain/content.yaml",
      "!publish signed --content plain", "!keys init signed --new secrets",
      "keys on signed --settings signers.yaml", "publish signed --settings signers.yaml",
    ],
    "diff": ["diff fresh", "diff old"],
    "rollout": [
      "!rollback qa --to 1", "publish qa --to 10% --tester Ada", "rollout qa",
      "rollout qa --unit 1234",
    ],
    "status": [
      "!publish qa --to 10%",
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml", "status",
      "status signed --settings signers.yaml",
      // A cache refuses a purge.
      "!publish cached", "!purge cached product/timed --reason x", "status cached",
      "!purge cached --without trafficserver", "status cached",
      "$ rm cached/cached/purges/1-*/begun", "status cached",
      // A backup of config is older than a purge.
      "!publish fresh", "$ cp fresh/fresh/config.plist backup",
      "!purge fresh product/timed --reason x", "$ cp backup fresh/fresh/config.plist", "status",
    ],
    "history": [
      "!publish qa --to 10%", "!purge qa product/country-charm --reason x", "history qa",
    ],
    "staleness": ["staleness"], "prune": ["prune qa --dry-run", "prune qa"],
    "purge": [
      "purge qa product/country-charm --reason x --dry-run",
      "purge qa product/country-charm --reason x --settings settings.yaml",
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "purge signed product/country-charm --reason x --dry-run --settings signers.yaml",
      "!publish limited", "purge limited product/country-charm --reason x --dry-run",
      // A cache refuses the purge.
      "!publish cached", "purge cached product/timed --reason x",
      "purge cached --without trafficserver", "purge cached --caches",
      "purge cached --caches --without trafficserver",
      // French readers have a form that is older than the bad title and than the new bundle.
      "$ sed -i 's/^title: .*/title: Bad/' content/entries/product/timed.yaml",
      "$ sed -i 's/^bundles:/&\\n  extra: {include: product\\/*}/' content/content.yaml",
      "!publish qa", "purge qa product/timed --restore --reason x --dry-run",
      "!purge qa product/timed --reason x",
      "purge qa product/timed --restore --reason x --dry-run",
    ],
    "maintenance": [
      "maintenance on qa --from 2099-01-01T00:00:00Z --until 2099-02-01T00:00:00Z",
      "maintenance status",
      "maintenance off qa", "maintenance on qa --settings settings.yaml", "maintenance status",
      "!publish cached", "maintenance on cached",
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
    "keys show": [
      "!keys init signed --new secrets", "!publish signed --settings signers.yaml",
      "!keys add signed --release \(otherKey) --fresh \(otherKey)",
      "!keys remove signed --key release", "!keys recover signed --release 3 --purge 0",
      "keys show signed",
    ],
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

  /// A published project whose channels have caches.
  private struct Shop {
    let sandbox: Sandbox
    private let cache: ScriptedCache
    /// A cache that refuses to purge anything.
    private let refusing: ScriptedCache

    init() throws {
      sandbox = try Sandbox(WorkedExample.building)
      cache = try ScriptedCache(before: "cached", of: sandbox)
      refusing = try ScriptedCache(before: "limited", of: sandbox)
      refusing.set(.refusing(403))
      try sandbox.shell("sed -i '/^channels:/,$d' content/content.yaml")
      try sandbox.shell(
        """
        cat >> content/content.yaml <<'E'
        channels:
          signed: {target: signed, signing: {keys: keys/signed}}
          old: {target: old}
          fresh: {target: fresh}
          far: {target: "s3://nowhere/x"}
          cached:
            target: cached
            url: \(cache.address)
            originTimeout: 1s
            cdn:
              - varnish: {nodes: ["\(cache.address)"]}
              - trafficserver: {nodes: ["\(refusing.address)"]}
          limited:
            target: limited
            url: \(refusing.address)
            cdn: [{cloudflare: {zone: A_ZONE, token: A_TOKEN, api: "\(refusing.address)"}}]
          qa: {target: site, cdn: [fastly]}
        E
        """)
      try sandbox.shell(
        "sed -i 's/^fields:/&\\n  next: {type: list, of: {type: reference, to: product}}/' content/datatypes/product.yaml"
      )
      try write()
      try sandbox.shell(
        "cd content && git init -q && git add . && git -c user.name=Ada -c user.email=a@b.c commit -qm One"
      )
      for channel in ["qa", "old"] {
        try #require(
          try sandbox.run("publish", channel, "--message", "One", "--by", "me").status == 0)
      }
      try sandbox.shell(
        "sed -i 's/^price: .*/price: 41.5/' content/entries/product/country-charm.yaml")
    }

    private func write() throws {
      try sandbox.write(
        "content/entries/product/timed.yaml",
        """
        title: Timed
        price: 1
        when: {country: FR, from: 2030-01-01T00:00:00Z}
        next: [product/country-charm]
        badges:
          - {label: All}
          - {label: Belgian, when: {country: BE}}
          - {label: Late, when: {from: 2030-01-01T00:00:00Z}}
          - {label: Secret, when: {from: 2031-01-01T00:00:00Z, embargo: true}}

        """)
      try sandbox.write("content/entries/product/timed.fr.yaml", "title: Plus tard\n")
      try sandbox.write(
        "content/entries/product/secret.yaml",
        "title: Secret\nprice: 1\nwhen: {from: 2030-01-01T00:00:00Z, embargo: true}\n")
      try sandbox.write("content/maintenance.yaml", "title: Back soon\nmessage: Wait\n")
      try sandbox.write(
        "settings.yaml",
        "notify: [{channel: qa, command: ['true']}, {channel: qa, command: ['false']}]\n")
      try sandbox.write(
        "signers.yaml",
        "signers: [{channel: signed, role: release, file: secrets/release.pem}, {channel: signed, role: fresh, file: secrets/release.pem}, {channel: signed, role: keys, file: none.pem}]\n"
      )
    }

    /// Runs `contentc` with the words of a line; returns its result.
    func run(_ line: String) throws -> (words: [String], outcome: Outcome) {
      let words = ListedCommand.words(
        of: "contentc " + line.replacing("HASH", with: try hash(for: line)))
      let variables = ["A_ZONE=zone", "A_TOKEN=token"]
      return (
        words, try sandbox.run(Sandbox.binary, words + ["--json"], environment: variables)
      )
    }

    /// Returns the hash that a line expects: that of the draft, or of the newest key document.
    private func hash(for line: String) throws -> String {
      guard line.contains("keys sign") else {
        return Digest(of: sandbox.read("draft/draft.json") ?? []).hex
      }
      let shown = try sandbox.run("keys", "show", "signed").output
      return shown.matches(of: /SHA-256   ([0-9a-f]{64})/).last.map { String($0.output.1) } ?? ""
    }
  }

  /// Returns the lines that print the keys of a section.
  ///
  /// Without lines in `runs`, returns the examples of the section's first command.
  private static func lines(of section: ResultSection) -> [String] {
    let own = section.commands.flatMap { runs[$0.name] ?? [] }
    return own.isEmpty ? section.commands[0].examples.map { String($0.dropFirst(9)) } : own
  }

  /// `PreviewCommandTests` reads what the preview prints.
  @Test(
    .timeLimit(.minutes(3)),
    arguments: ResultSection.all.filter { !$0.keys.isEmpty && !$0.commands[0].listens })
  func printsEveryDeclaredKey(section: ResultSection) throws {
    let shop = try Shop()
    var seen: Set<ResultKey> = []
    for line in Self.lines(of: section) {
      if line.hasPrefix("$") {
        try #require(try shop.sandbox.shell(String(line.dropFirst(2))).status == 0, "\(line)")
        continue
      }
      let isPreparing = line.hasPrefix("!")
      let (words, outcome) = try shop.run(isPreparing ? String(line.dropFirst()) : line)
      if isPreparing {
        try #require([0, 69].contains(outcome.status), "\(line): \(outcome)")
        continue
      }
      let result = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
      #expect(result["exitStatus"]?.number == Int(outcome.status), "\(line)")
      let command = ListedCommand.named(by: words) ?? section.commands[0]
      #expect(command.possibleStatuses.contains(outcome.status), "\(line)")
      let paths = DeclaredKeys.leaves(result, of: section.keys).map(\.path)
      let printed = section.keys.filter { key in paths.contains { key.matches($0) } }
      seen.formUnion(printed)
      // A command that fails may print no keys of its own, and `--if-due` may have nothing to do.
      if printed.isEmpty || words.contains("--if-due") { continue }
      let missing = section.keys.filter {
        !$0.isOptional && !$0.steps.contains("[]") && !printed.contains($0)
      }
      #expect(missing.isEmpty, "\(line): \(missing.map(\.path)) are declared, and missing")
    }
    let name = section.commands[0].name
    let unseen = section.keys.filter { !seen.contains($0) }.map { "\(name) \($0.plainPath)" }
    let excused = Self.unprinted.keys.filter { $0.hasPrefix("\(name) ") }
    #expect(Set(unseen) == Set(excused), "these keys are not printed, or those of `unprinted`")
  }

  @Test func excusesOnlyDeclaredKeys() {
    let keys = ResultSection.all.flatMap { section in
      section.keys.map { "\(section.commands[0].name) \($0.plainPath)" }
    }
    #expect(Set(Self.unprinted.keys).isSubset(of: keys))
  }

  /// The sections of the commands follow those about all commands.
  @Test func documentsEveryKey() throws {
    let start = "\n## \(try #require(ResultSection.all.first).title)\n"
    try CheckedOutFiles.expect("docs/reference/json.md") { page in
      let general = page[..<(try #require(page.firstRange(of: start)).lowerBound)]
      return general + ResultSection.all.map { "\n\($0.text)" }.joined()
    }
  }

  @Test func documentsTheSchema() throws {
    let text = try ResultSchema.text()
    let schema = try PropertyList.decode(Array(text.utf8), as: .json).value
    let names = try #require(schema["$defs"]?.members).keys
    #expect(Set(names) == Set(ListedCommand.all.map(\.name)))
    try CheckedOutFiles.expect("docs/reference/json-schema.json", toBe: text)
  }
}
