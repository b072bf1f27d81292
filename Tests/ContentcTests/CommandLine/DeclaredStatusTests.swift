import ContentcCommands
import TestInputs
import Testing

@testable import TestCommands

/// Each command can end with the exit statuses for which it declares a specific meaning.
///
/// `Sandbox.run` checks the converse in all tests: no command ends with a status that it does not
/// declare.
@Suite struct DeclaredStatusTests {
  private static let declared = ListedCommand.all.flatMap { command in
    command.exitStatuses.map { "\(command.name) \($0.status.rawValue)" }
  }

  /// The statuses without a run below.
  ///
  /// They need another program at the same moment, a draft of another day, or new keys.
  private static let untried: Set = [
    "preview 75", "translations import 75", "translations lock 75", "promote 75", "rollback 75",
    "rollout 75", "sign import 75", "sign export 69", "keys recovered 3", "keys recovered 75",
  ]

  /// The functions of the scripts.
  private static let functions = #"""
    dear() { sed -i 's/^price: .*/price: 41/' content/entries/product/country-charm.yaml; }
    slow() { sed -i 's/^stalenessLimit: .*/stalenessLimit: 5m/' content/content.yaml; }
    locked() { mkdir -p out; flock out "$@"; }
    unsign() { sed -i 's/, signing: {keys: keys.signed}//' content/content.yaml; }
    sign_again() {
      unsign; contentc keys off signed
      sed -i 's/{target: signed/&, signing: {keys: keys\/signed}/' content/content.yaml
    }
    draft() { dear; contentc publish signed --draft draft; }
    hash() { sha256sum draft/draft.json | cut -d' ' -f1; }
    key_hash() { contentc keys show signed | sed -n 's/.*SHA-256 *\([0-9a-f]\{64\}\).*/\1/p' | tail -1; }
    no_hash() { printf %064d 0; }

    """#

  /// Scripts by the command and the status with which their last command ends.
  private static let scripts = [
    "build 75": "locked contentc build",
    "explain 66": "contentc explain product/nothing",
    "coverage 2": "contentc coverage --fail-under 100",
    "convert 1": "printf { > bad.json; contentc convert bad.json --to xml",
    "convert 66": "contentc convert nowhere --to json",
    "translations import 1":
      "contentc translations export --locale fr --to csv -o fr.csv; sed -i 's/Nouveau/{x}/' fr.csv; contentc translations import fr.csv",
    "publish 2": "slow; contentc publish qa",
    "publish 3": "dear; contentc publish qa --settings settings.yaml",
    "publish 75": "dear; locked contentc publish qa",
    "promote 2": "slow; contentc promote old qa",
    "promote 3":
      "dear; contentc publish old; contentc promote old qa --settings settings.yaml",
    "rollback 3": "dear; contentc publish qa; contentc rollback qa --settings settings.yaml",
    "rollout 3":
      "dear; contentc publish qa --to 10%; contentc rollout qa 50% --settings settings.yaml",
    "diff 2": "dear; contentc diff qa --fail-on changed",
    "diff 75": "locked contentc diff qa",
    // The rest of the lifetime is 100 % for a second.
    "status 2": "sleep 2; contentc status signed --fail-under 100%",
    "staleness 2": "slow; contentc staleness",
    "bake 1": "contentc bake qa --to App --check",
    "bake 2":
      "contentc bake qa --to App; dear; contentc publish qa; contentc bake qa --to App --check --max-age 0s",
    "purge 3": "contentc purge qa product/country-charm --reason x --settings settings.yaml",
    "purge 69": "contentc purge cached product/country-charm --reason x",
    "maintenance 3": "contentc maintenance on qa --settings settings.yaml",
    "notify 3": "contentc notify qa --settings settings.yaml",
    "keys sign 69": "contentc keys renew signed; contentc keys sign signed --expect $(key_hash)",
    "keys on 2": "slow; contentc keys on signed",
    "keys on 3": "sign_again; contentc keys on signed --settings settings.yaml",
    "keys on 75": "sign_again; locked contentc keys on signed --settings settings.yaml",
    "keys off 2": "slow; contentc keys off signed",
    "keys off 3": "unsign; contentc keys off signed --settings settings.yaml",
    "keys off 75": "unsign; locked contentc keys off signed",
    "keys replace 2": "slow; contentc keys replace signed",
    "keys replace 3": "contentc keys replace signed --settings settings.yaml",
    "keys replace 75": "locked contentc keys replace signed --settings settings.yaml",
    "keys recovered 2": "slow; contentc keys recovered signed",
    "sign folder 1": "draft; contentc sign draft --expect $(no_hash)",
    "sign folder 66": "contentc sign nowhere --expect $(no_hash)",
    "sign folder 69": "draft; contentc sign draft --expect $(hash)",
    "sign export 1": "draft; contentc sign export draft --to messages --expect $(no_hash)",
    "sign export 66": "contentc sign export nowhere --to messages --expect $(no_hash)",
    "sign add 1": "draft; echo x > file; contentc sign add draft file --key 0123456789abcdef",
    "sign add 66": "draft; contentc sign add draft file --key 0123456789abcdef",
    "sign import 3":
      "draft; contentc sign draft --expect $(hash) --with secrets/release.pem; contentc sign import draft --settings settings.yaml",
    "verify 1": "contentc verify content/content.yaml --channel signed",
    "verify 69": "contentc verify http://127.0.0.1:9/config.plist --channel signed",
    "verify 74": "contentc verify signed/signed/config.plist --channel signed --memory content",
  ]

  /// A project with published channels, whose commands that notify fail.
  private static let prepared = Result { () throws -> Sandbox in
    let sandbox = try Sandbox(WorkedExample.building)
    let channels = """
      channels:
        qa: {target: site}
        old: {target: old}
        signed: {target: signed, signing: {keys: keys/signed}}
        cached: {target: cached, url: 'http://127.0.0.1:9/', cdn: [{varnish: {nodes: ['http://127.0.0.1:9']}}]}

      """
    try sandbox.write("channels.yaml", channels)
    try sandbox.shell(
      "sed -i '/^channels:/,$d' content/content.yaml && cat channels.yaml >> content/content.yaml")
    try sandbox.write("content/maintenance.yaml", "title: Back soon\nmessage: Wait\n")
    let signers = "{channel: signed, role: release, file: secrets/release.pem}"
    try sandbox.write(
      "settings.yaml",
      """
      notify: [{channel: qa, command: ['false']}, {channel: signed, command: ['false']}]
      signers: [\(signers), \(signers.replacing("role: release", with: "role: fresh"))]

      """)
    let outcome = try sandbox.tour(
      "contentc publish qa && contentc publish old && contentc publish cached"
        + " && contentc keys init signed --new secrets"
        + " && { contentc publish signed --settings settings.yaml; test $? = 3; }")
    try #require(outcome.status == 0, "\(outcome)")
    return sandbox
  }

  @Test(arguments: declared.filter { !untried.contains($0) })
  func endsWithEachDeclaredStatus(ending: String) throws {
    let script = try #require(Self.scripts[ending], "no script ends with the status")
    let sandbox = try Sandbox()
    try sandbox.shell("cp -a '\(Self.prepared.get().root)/.' .")
    let outcome = try sandbox.tour(Self.functions + script)
    #expect(ending.hasSuffix(" \(outcome.status)"), "\(outcome)")
  }

  @Test func coversEachDeclaredStatus() {
    let tried = Set(Self.scripts.keys)
    #expect(tried.isDisjoint(with: Self.untried))
    #expect(tried.union(Self.untried).symmetricDifference(Self.declared) == [])
  }
}
