/// Access to the documentation, which states the output of contentc.
extension Sandbox {
  /// Returns the text of a file in the checkout.
  static func checkedOut(_ path: String) throws -> String {
    try Sandbox().run("/bin/cat", ["\(checkout)/\(path)"]).output
  }

  /// Runs a shell command with `contentc` as the program under test.
  func tour(_ line: String) throws -> Outcome {
    try run("/usr/bin/env", ["PATH=\(Self.programs):/usr/bin:/bin", "/bin/sh", "-c", line])
  }

  /// Does what a page says, by a script, and compares or records what the commands print.
  static func walk(_ page: String, records: Bool = false) throws -> Outcome {
    let path = page.hasPrefix("/") ? page : "\(checkout)/\(page)"
    return try Sandbox().run(
      "\(checkout)/Scripts/walk-page.py", [binary, path] + (records ? ["--record"] : []))
  }
}
