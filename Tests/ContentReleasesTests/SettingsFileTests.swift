import Diagnostics
import SystemC
import TestServers
import Testing

@testable import ContentReleases

@Suite("The settings file")
struct SettingsFileTests {
  let folder: ScratchFolder
  private static let text = "notify: [{channel: qa, command: [a]}]\n"

  init() throws {
    folder = try ScratchFolder()
    try folder.write("settings.yaml", Self.text)
    chmod(folder.path("settings.yaml"), 0o644)
  }

  private func read(
    _ name: String?, _ variables: [String: String] = [:]
  ) -> Diagnosed<MachineSettings>? {
    SettingsFile(named: name, environment: { variables[$0] })?.read()
  }

  @Test func looksForTheOptionThenTheVariableThenTheHomeFolder() throws {
    let all = ["CONTENTC_SETTINGS": "variable", "HOME": "/user"]
    func path(_ name: String?, without variables: String...) -> String? {
      SettingsFile(named: name, environment: { variables.contains($0) ? nil : all[$0] })?.path
    }
    #expect(path("option") == "option")
    #expect(path(nil) == "variable")
    #expect(path(nil, without: "CONTENTC_SETTINGS") == "/user/.config/contentc/settings.yaml")
    #expect(path(nil, without: "CONTENTC_SETTINGS", "HOME") == nil)
    let relative = SettingsFile(named: nil, environment: { $0 == "HOME" ? "content" : nil })
    #expect(relative == nil)
    let empty = SettingsFile(named: nil, environment: { $0 == "HOME" ? "/" : "" })
    #expect(empty?.path == "/.config/contentc/settings.yaml")
  }

  @Test func readsTheFile() throws {
    let found = try #require(read(folder.path("settings.yaml")))
    #expect(found.diagnostics.isEmpty && found.output.notify.count == 1)
  }

  @Test func onlyTheDefaultFileMayBeMissing() throws {
    let absent = try #require(read(nil, ["HOME": folder.path]))
    #expect(absent.diagnostics.isEmpty && absent.output.notify.isEmpty)
    let missing = folder.path("missing.yaml")
    for found in [read(missing), read(nil, ["CONTENTC_SETTINGS": missing]), read("")] {
      #expect(found?.diagnostics.map(\.id) == ["missing-file"])
    }
  }

  @Test(arguments: [0o664, 0o646, 0o622, 0o777] as [mode_t])
  func refusesAFileThatOthersMayWrite(mode: mode_t) throws {
    let path = folder.path("settings.yaml")
    chmod(path, mode)
    let found = try #require(read(path))
    #expect(found.diagnostics.map(\.id) == ["unsafe-settings"] && found.output.notify.isEmpty)
    let note = try #require(found.diagnostics[0].notes.first?.message)
    #expect(note.hasSuffix("run: chmod go-w '\(path)'"))
    // The command in the note makes the file acceptable.
    #expect(try Program("/bin/sh", ["-c", "chmod go-w '\(path)'"]).wait() == 0)
    #expect(read(path)?.diagnostics.isEmpty == true)
  }

  @Test func quotesThePathForTheShell() throws {
    try folder.write("it's; x.yaml", Self.text)
    let path = folder.path("it's; x.yaml")
    chmod(path, 0o666)
    let note = try #require(read(path)?.diagnostics[0].notes.first?.message)
    let command = String(note.drop { $0 != ":" }.dropFirst(2))
    #expect(try Program("/bin/sh", ["-c", command]).wait() == 0)
    #expect(read(path)?.diagnostics.isEmpty == true)
  }

  @Test(.enabled(if: geteuid() == 0)) func refusesTheFileOfAnotherUser() throws {
    let path = folder.path("settings.yaml")
    try #require(chown(path, 1, 1) == 0)
    #expect(read(path)?.diagnostics.map(\.id) == ["unsafe-settings"])
  }

  @Test func refusesFoldersPipesAndLargeFiles() throws {
    folder.makeFolder("folder")
    mkfifo(folder.path("pipe"), 0o600)
    for name in ["folder", "pipe"] {
      #expect(read(folder.path(name))?.diagnostics.map(\.id) == ["unreadable-file"], "\(name)")
    }
    try folder.write("large.yaml", String(repeating: "# comment\n", count: 200_000))
    chmod(folder.path("large.yaml"), 0o600)
    #expect(read(folder.path("large.yaml"))?.diagnostics.map(\.id) == ["too-large"])
  }
}
