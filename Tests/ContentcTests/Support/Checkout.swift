/// Pages of the documentation, which are claims about what contentc prints.
extension Sandbox {
  /// The text of a file of the checkout.
  static func checkedOut(_ path: String) throws -> String {
    try Sandbox().run("/bin/cat", ["\(checkout)/\(path)"]).output
  }

  /// The names of all commands, as the help lists them.
  static func commands() throws -> [String] {
    try Sandbox().run("help").output.split(separator: "\n")
      .drop { $0 != "SUBCOMMANDS:" }.compactMap {
        $0.firstMatch(of: /^ {2}([a-z-]+) {2}/).map { String($0.output.1) }
      }
  }

  /// Runs a line of shell in which `contentc` is the program under test.
  func tour(_ line: String) throws -> Outcome {
    let folder = Self.binary.dropLast("/contentc".count)
    return try run("/usr/bin/env", ["PATH=\(folder):/usr/bin:/bin", "/bin/sh", "-c", line])
  }
}
