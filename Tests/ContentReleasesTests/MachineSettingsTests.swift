import Diagnostics
import SiteFormat
import Testing

@testable import ContentReleases

@Suite("The settings of a machine")
struct MachineSettingsTests {
  private func read(_ text: String, path: String = "settings.yaml") -> Diagnosed<MachineSettings> {
    MachineSettings.read(Array(text.utf8), path: path)
  }

  /// Returns the diagnostics as lines such as `2:5 unknown-key`.
  private func mistakes(_ text: String) -> [String] {
    read(text).diagnostics.map {
      let start = $0.location?.range?.start
      return "\(start?.line ?? 0):\(start?.column ?? 0) \($0.id)"
    }
  }

  @Test func readsCommands() throws {
    let settings = read(
      """
      notify:
        - {app: bakery, channel: production, command: [curl, --data, "@-", 5, true]}
        - channel: qa
          command:
            - /usr/local/bin/push
            - ''
      """)
    #expect(settings.diagnostics.map(\.message) == [])
    let commands = settings.output.notify
    #expect(commands.map(\.app) == ["bakery", nil])
    #expect(commands.map(\.channel) == ["production", "qa"])
    #expect(commands.map(\.program) == ["curl", "/usr/local/bin/push"])
    #expect(commands.map(\.arguments) == [["--data", "@-", "5", "true"], [""]])
    #expect(commands.map { $0.location.range?.start.line } == [2, 3])
  }

  @Test(arguments: ["", "# nothing\n", "{}", "notify: []", "notify:\n"])
  func readsAFileWithoutCommands(text: String) {
    let settings = read(text)
    #expect(settings.output.notify.isEmpty && settings.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("notfy: []", "1:1 unknown-key"), ("notify: {channel: qa}", "1:9 wrong-type"),
    ("notify: curl", "1:9 wrong-type"), ("[notify]", "1:1 wrong-type"),
    ("notify: [{command: [a]}]", "1:10 missing-key"),
    ("notify: [{channel: qa}]", "1:10 missing-key"),
    ("notify: [{chanel: qa, command: [a]}]", "1:11 unknown-key"),
    ("notify: [{channel: Q A, command: [a]}]", "1:20 wrong-type"),
    ("notify: [{channel: [qa], command: [a]}]", "1:20 wrong-type"),
    ("notify: [{app: 1.5, channel: qa, command: [a]}]", "1:16 wrong-type"),
    ("notify: [{channel: qa, command: curl --silent}]", "1:33 wrong-type"),
    ("notify: [{channel: qa, command: []}]", "1:33 wrong-type"),
    ("notify: [{channel: qa, command: [a, null]}]", "1:37 wrong-type"),
    ("notify: [{channel: qa, command: [a, [b]]}]", "1:37 wrong-type"),
    ("notify: [{channel: qa, command: [a, \"b\\0\"]}]", "1:37 wrong-type"),
    ("notify: [{channel: qa, command: [./push]}]", "1:34 wrong-type"),
    ("notify: [{channel: qa, command: [bin/push]}]", "1:34 wrong-type"),
    ("notify: [{channel: qa, command: [~/push]}]", "1:34 wrong-type"),
    ("notify: [{channel: qa, command: ['']}]", "1:34 wrong-type"),
    ("notify: [{channel: qa, channel: qa, command: [a]}]", "1:24 duplicate-key"),
    ("notify: [channel", "1:9 syntax"),
  ])
  func reportsThePlaceOfAMistake(text: String, mistake: String) {
    let found = mistakes(text)
    #expect(
      found == [mistake] || mistake.hasSuffix("syntax") && !found.isEmpty, "\(text): \(found)")
    #expect(read(text).output.notify.isEmpty || mistake.hasSuffix("duplicate-key"))
  }

  @Test func suggestsTheKey() {
    let found = read("notify: [{chanel: qa, comand: [a]}]").diagnostics
    #expect(found.map(\.fixIt?.replacement) == ["channel", "command"])
  }

  @Test func refusesLongLists() {
    let command = "  - {channel: qa, command: [a]}\n"
    let most = MachineSettings.mostCommands
    #expect(
      read("notify:\n" + String(repeating: command, count: most)).output.notify.count == most)
    let found = mistakes("notify:\n" + String(repeating: command, count: most + 1))
    #expect(found == ["2:3 wrong-type"])
  }

  @Test(arguments: [
    "notify: &a [*a, *a]", "notify: -9223372036854775808", "notify: [9e999, .nan, .inf, 0x7f]",
    "notify: [{channel: 18446744073709551616, command: [1e400]}]", "? [a]\n: b",
    "\u{FEFF}notify: 5",
    "notify: [{channel: qa, command: {0: a}}]", "--- a\n--- b", "notify: !!binary x",
  ])
  func survivesHostileValues(text: String) {
    let settings = read(text)
    #expect(settings.hasErrors || settings.output.notify.allSatisfy { !$0.program.isEmpty })
  }

  // MARK: Signers

  private static let fingerprint = "SHA256:\(String(repeating: "A", count: 43))"

  @Test func readsSigners() throws {
    let settings = read(
      """
      signers:
        - {channel: production, role: release, file: keys/release.pem}
        - {app: shop, channel: production, role: fresh, environment: FRESH_KEY}
        - {channel: production, role: keys, agent: "\(Self.fingerprint)"}
        - {channel: qa, role: release, command: [kms, sign], key: 0123456789abcdef}
        - {channel: qa, role: release, command: [kms, sign]}
        - {channel: qa, role: release, file: /keys/qa.pem}
      """, path: "/etc/contentc/settings.yaml")
    #expect(settings.diagnostics.map(\.message) == [])
    let signers = settings.output.signers
    #expect(signers.map(\.app) == [nil, "shop", nil, nil, nil, nil])
    #expect(signers.map(\.role) == [.release, .fresh, .keys, .release, .release, .release])
    let sources = signers.map { signer -> String in
      switch signer.source {
      case .file(let path): path
      case .environment(let variable): variable
      case .agent(let fingerprint): fingerprint
      case .command(let words, let key): "\(words) \(key.map { "\($0)" } ?? "-")"
      }
    }
    #expect(
      sources == [
        "/etc/contentc/keys/release.pem", "FRESH_KEY", Self.fingerprint,
        #"["kms", "sign"] 0123456789abcdef"#, #"["kms", "sign"] -"#, "/keys/qa.pem",
      ])
  }

  /// A slash and a combining mark behind it are one character.
  @Test func findsAKeyBesideTheFile() throws {
    let text = "signers: [{channel: qa, role: release, file: release.pem}]"
    let signer = try #require(read(text, path: "/etc/\u{301}settings.yaml").output.signers.first)
    let path: String? = if case .file(let path) = signer.source { path } else { nil }
    #expect(path == "/etc/release.pem")
  }

  @Test(arguments: [
    ("signers: {channel: qa}", "1:10 wrong-type"),
    ("signers: [{role: release, file: a}]", "1:11 missing-key"),
    ("signers: [{channel: qa, file: a}]", "1:11 missing-key"),
    ("signers: [{channel: qa, role: release}]", "1:11 wrong-type"),
    ("signers: [{channel: qa, role: release, file: a, agent: b}]", "1:56 wrong-type"),
    ("signers: [{channel: qa, role: root, file: a}]", "1:31 wrong-type"),
    ("signers: [{channel: qa, role: release, file: ~/a}]", "1:46 wrong-type"),
    ("signers: [{channel: qa, role: release, file: $HOME/a}]", "1:46 wrong-type"),
    ("signers: [{channel: qa, role: release, environment: 1KEY}]", "1:53 wrong-type"),
    ("signers: [{channel: qa, role: release, environment: 'A B'}]", "1:53 wrong-type"),
    ("signers: [{channel: qa, role: release, agent: 'MD5:00'}]", "1:47 wrong-type"),
    ("signers: [{channel: qa, role: release, agent: 'SHA256:AA'}]", "1:47 wrong-type"),
    ("signers: [{channel: qa, role: release, command: kms}]", "1:49 wrong-type"),
    ("signers: [{channel: qa, role: release, command: [a], key: 12}]", "1:59 wrong-type"),
    ("signers: [{channel: qa, role: release, file: a, key: 0123456789abcdef}]", "1:54 wrong-type"),
    ("signers: [{channel: qa, role: release, fil: a}]", "1:40 unknown-key"),
  ])
  func reportsThePlaceOfASignersMistake(text: String, mistake: String) {
    #expect(mistakes(text).contains(mistake), "\(text): \(mistakes(text))")
    #expect(read(text).output.signers.isEmpty)
  }
}
