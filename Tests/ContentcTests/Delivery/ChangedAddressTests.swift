import Testing

@testable import TestCommands

/// Changes of a channel's addresses, which `diff` shows first.
@Suite struct ChangedAddressTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try channel(
      "{target: site, url: \"https://a.example\", cdn: [{fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN}}]}"
    )
    let published = try sandbox.run("publish", "qa")
    #expect(published.output.contains("Published release 1"), "\(published)")
  }

  private func channel(_ text: String) throws {
    let project = EditingShop.files.first { $0.path == "content/content.yaml" }?.text ?? ""
    try sandbox.write("content/content.yaml", project + "channels: {qa: \(text)}\n")
  }

  @Test func printsNoUnchangedSettings() throws {
    let diff = try sandbox.run("diff")
    #expect(diff.status == 0 && diff.errors == "")
    #expect(diff.output.hasPrefix("Channel 'qa': target site; url https://a.example; cdn fastly"))
  }

  @Test(arguments: [
    (
      "cdn",
      "{target: site, url: \"https://a.example\", cdn: [{fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN, api: \"https://b.example\"}}]}"
    ),
    (
      "cdn",
      "{target: site, url: \"https://a.example\", cdn: [{fastly: {service: FASTLY_SERVICE, token: AWS_SECRET_ACCESS_KEY}}]}"
    ),
    (
      "url",
      "{target: site, url: \"https://b.example\", cdn: [{fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN}}]}"
    ),
    (
      "target",
      "{target: ./site, url: \"https://a.example\", cdn: [{fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN}}]}"
    ),
  ])
  func reportsDifferencesFromTheLiveRelease(key: String, changed: String) throws {
    try sandbox.shell("cp -R content before")
    try channel(changed)
    for flags in [[], ["--base", "before"]] {
      let diff = try sandbox.run(Sandbox.binary, ["diff"] + flags)
      #expect(diff.status == 0, "\(diff)")
      #expect(
        diff.errors.contains("warning: '\(key)' of channel 'qa' is different from"),
        "\(diff.errors)")
      let gate = try sandbox.run(Sandbox.binary, ["diff", "--error-on", "changed-address"] + flags)
      #expect(gate.status == 2)
    }
  }

  @Test func omitsAddressesFromTheRecord() throws {
    let record = try #require(sandbox.tree("site/qa/releases").first).bytes
    let text = String(decoding: record, as: UTF8.self)
    #expect(!text.contains("FASTLY") && !text.contains("a.example"))
  }
}
