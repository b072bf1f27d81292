import SystemC

extension Sandbox {
  /// The checkout from which the tests were built.
  static let checkout: String = #filePath.components(droppingLast: 3)

  /// Runs a Python script from `Scripts` beside this file, with the readers from `PATH`.
  func script(_ name: String, _ arguments: String..., environment: [String] = []) throws -> Outcome
  {
    try run(
      "/usr/bin/env",
      ["python3", "\(Self.checkout)/Tests/TestCommands/Scripts/\(name)"] + arguments,
      environment: [Self.path] + environment)
  }

  /// Runs a shell command.
  @discardableResult func shell(_ line: String) throws -> Outcome {
    try run("/bin/sh", ["-c", line], environment: [Self.path])
  }

  /// The test process's `PATH`, which contains the toolchain's tools.
  private static var path: String {
    "PATH=" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")
  }

  /// Copies the sample and changes its format.
  func copySample(to folder: String, format: String) throws {
    try shell("cp -R '\(Self.checkout)/content' '\(root)/\(folder)'")
    let project = String(decoding: read("\(folder)/content.yaml") ?? [], as: UTF8.self)
    let lines = project.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.hasPrefix("format:")
    }
    try write(
      "\(folder)/content.yaml", (lines + ["format: \(format)", ""]).joined(separator: "\n"))
  }
}

extension String {
  fileprivate func components(droppingLast count: Int) -> String {
    split(separator: "/").dropLast(count).map { "/\($0)" }.joined()
  }
}
