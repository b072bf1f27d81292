import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import TestCommands

/// Compares the documented keys with the keys that commands print.
@Suite("The keys of --json", .serialized)
struct JSONKeyTests {
  /// A documented key: the steps of its path, and whether it is optional.
  fileprivate struct Key: Hashable {
    var path: [String]
    var isOptional = false

    init(_ text: Substring) {
      isOptional = text.hasSuffix("?")
      path = text.filter { $0 != "?" }.split(separator: ".").flatMap { step -> [String] in
        step.hasSuffix("[]") ? [String(step.dropLast(2)), "[]"] : [String(step)]
      }
    }

    func matches(_ other: [String]) -> Bool {
      path.count == other.count
        && zip(path, other).allSatisfy { $0 == "*" && $1 != "[]" || $0 == $1 }
    }
  }

  /// A public key, as base64.
  private static let otherKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  /// The keys whose values can be anything.
  private static let opaque = [
    ["fields", "[]", "value"], ["entries", "[]", "fields", "[]", "old"],
    ["entries", "[]", "fields", "[]", "new"],
  ]

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
    "maintenance freshSeconds", "keys below", "publish signed",
  ]

  private static let common: Set = ["ok", "errors", "warnings", "exitStatus"]

  /// Returns the sections of the page with the command that begins each title.
  private static func documented() throws -> [(command: String, keys: [Key])] {
    let sections = try Sandbox.checkedOut("docs/json.md").split(separator: "\n## ").dropFirst()
    return sections.map { section in
      let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      let cells = rows.compactMap { $0.split(separator: " | ", maxSplits: 1).first }
      return (
        String(section.prefix { $0.isLetter || $0 == "-" }),
        cells.flatMap { $0.matches(of: /`([^`]+)`/).map { Key($0.output.1) } }
      )
    }
  }

  /// Returns the paths of all values in a result, except for those that every result has.
  private static func paths(_ value: Value, _ path: [String] = []) -> Set<[String]> {
    if opaque.contains(path) { return [path] }
    var found: Set<[String]> = []
    if let members = value.members {
      for (name, value) in members where !path.isEmpty || !common.contains(name) {
        found.formUnion(paths(value, path + [name]))
      }
    } else if let items = value.items {
      for item in items { found.formUnion(paths(item, path + ["[]"])) }
    } else {
      found.insert(path)
    }
    return found
  }

  /// The runs that print a command's keys, in a published project.
  ///
  /// Runs with `!` only prepare others.
  private static let runs: [String: [String]] = [
    "init": ["init bakery"], "build": ["build"], "check": ["check"],
    "explain": [
      "explain product/country-charm --locale fr-CA --device ipad",
      "explain product/timed --country FR --app 2.0 --at 2020-01-01T00:00:00Z",
    ],
    "coverage": ["coverage", "coverage --locale fr", "coverage --datatype product"],
    "translations": [
      "translations export --locale fr --to csv -o fr.csv",
      "translations import fr.csv --dry-run", "translations import fr.csv", "translations lock",
    ],
    "locales": ["locales", "locales en-IN"],
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
    "server": ["server nginx qa"], "rules": ["rules"],
    "bake": ["bake qa --to App", "bake qa --to App --check"],
    "keys": [
      "keys init signed --new secrets", "keys show signed",
      "!publish signed --settings signers.yaml",
      "keys accept signed signed/signed/config.plist",
      "!keys add signed --release \(otherKey) --fresh \(otherKey)",
      "!keys remove signed --key release", "keys recover signed --release 3 --purge 0",
    ],
    "sign": [
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

  @Test func documentsEveryCommand() throws {
    let titles = Set(try Self.documented().map(\.command)).subtracting([
      "Every", "Exit", "Diagnostics",
    ])
    #expect(titles.union(["promote", "rollback"]) == Set(try Sandbox.commands()))
    #expect(
      titles.subtracting(Self.runs.keys) == ["preview"], "its keys are held by PreviewCommandTests")
  }

  @Test(.timeLimit(.minutes(3))) func documentsEveryPrintedKey() throws {
    for (command, keys) in try Self.documented() {
      guard let lines = Self.runs[command] else { continue }
      let sandbox = try Self.prepared()
      if command == "status" { try Self.restoreConfig(in: sandbox) }
      var seen: Set<Key> = []
      for line in lines {
        let hash = Digest(of: sandbox.read("draft/draft.json") ?? []).hex
        let words = line.drop { $0 == "!" }.replacing("HASH", with: hash)
        let outcome = try sandbox.tour("contentc \(words) --json")
        if line.hasPrefix("!") { continue }
        let result = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
        #expect(result["exitStatus"]?.number == Int(outcome.status), "\(line)")
        let paths = Self.paths(result)
        for path in paths {
          let matching = keys.filter { $0.matches(path) }
          #expect(!matching.isEmpty, "\(line): \(path.joined(separator: ".")) is not documented")
          seen.formUnion(matching)
        }
        let missing = keys.filter { key in
          !key.isOptional && !key.path.contains("[]") && !paths.contains(where: key.matches)
        }
        #expect(
          missing.isEmpty,
          "\(line): \(missing.map { $0.path.joined(separator: ".") }) are documented, and missing")
      }
      let unseen = keys.filter {
        !seen.contains($0) && !Self.unreached.contains("\(command) \($0.text)")
      }
      #expect(unseen.isEmpty, "\(command): nothing printed \(unseen.map(\.text))")
    }
  }
}

extension JSONKeyTests.Key {
  /// The documented form of the key, without the mark for optional keys.
  fileprivate var text: String {
    path.reduce(into: "") { text, step in
      text += step == "[]" ? step : (text.isEmpty ? step : ".\(step)")
    }
  }
}
