/// Access to the documentation, which states the output of contentc.
extension Sandbox {
  /// Returns the text of a file in the checkout.
  static func checkedOut(_ path: String) throws -> String {
    try Sandbox().run("/bin/cat", ["\(checkout)/\(path)"]).output
  }

  /// Returns the names of all commands in the help.
  static func commands() throws -> [String] {
    try Sandbox().run("help").output.split(separator: "\n")
      .drop { $0 != "SUBCOMMANDS:" }.compactMap {
        $0.firstMatch(of: /^ {2}([a-z-]+) {2}/).map { String($0.output.1) }
      }
  }

  /// Returns the words of all commands without subcommands, such as `keys init`.
  static func leafCommands() throws -> [String] {
    try commands().flatMap { command in
      let parts = try Sandbox().run(command, "--help").output.split(separator: "\n")
        .drop { $0 != "SUBCOMMANDS:" }.compactMap {
          $0.firstMatch(of: /^ {2}([a-z-]+)(?: \(default\))? {2}/)
            .map { "\(command) \($0.output.1)" }
        }
      return parts.isEmpty ? [command] : parts
    }
  }

  /// Runs a shell command with `contentc` as the program under test.
  func tour(_ line: String) throws -> Outcome {
    try run("/usr/bin/env", ["PATH=\(Self.programs):/usr/bin:/bin", "/bin/sh", "-c", line])
  }
}
