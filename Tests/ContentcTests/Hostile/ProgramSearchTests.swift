import Testing

@testable import TestCommands

/// The programs that commands find in `PATH`.
@Suite struct ProgramSearchTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      echo "channels: {backup: {target: 'rclone:shop:www'}}" >> content/content.yaml
      mkdir bin
      printf '#!/bin/sh\\ntouch %s/ran\\nexit 4\\n' "$PWD" > rclone
      cp rclone bin/rclone
      chmod +x rclone bin/rclone
      """)
  }

  private func status(path: String) throws {
    _ = try sandbox.run("/usr/bin/env", ["PATH=\(path)", Sandbox.binary, "status"])
  }

  /// Whoever made the folder must not choose the programs that run there.
  @Test(arguments: [
    ".:/usr/bin:/bin", ":/usr/bin:/bin", "/usr/bin:/bin:", "bin:/usr/bin", "./bin:/bin", "",
  ])
  func runsNoProgramOfTheCurrentFolder(path: String) throws {
    try status(path: path)
    #expect(!sandbox.files().contains("ran"))
  }

  @Test func runsAProgramInAnAbsoluteFolder() throws {
    try status(path: "\(sandbox.root)/bin:/usr/bin")
    #expect(sandbox.files().contains("ran"))
  }
}
