import Testing

@testable import TestCommands

@Suite("The README")
struct ReadmeTests {
  @Test func showsTheOutputOfContentc() throws {
    let steps = try Readme().steps
    try #require(steps.count > 8)
    let script = steps.map { "\($0.command)\nprintf '\\036'\n" }.joined()
    let path = "PATH=\(Sandbox.programs):/usr/bin:/bin"
    let outcome = try Sandbox().run(
      "/usr/bin/env", [path, "/bin/sh", "-c", "exec 2>&1\n" + script])
    let printed = outcome.output.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(
      String.init)
    try #require(printed.count == steps.count + 1)
    for (step, output) in zip(steps, printed) {
      #expect(output.withoutMeasurements == step.output.withoutMeasurements, "$ \(step.command)")
    }
  }

  /// A program that lacks a library does not start, so the list for other machines must be complete.
  @Test func namesThePackagesOfAllLinkedLibraries() throws {
    let readme = try Readme().text
    let outcome = try Sandbox().shell(
      """
      for program in contentc contentc-preview; do ldd '\(Sandbox.programs)'/$program; done |
        sed -n 's/.*=> \\([^ ]*\\) .*/\\1/p' | sort -u | xargs -n 1 readlink -f |
        sed 's|.*/|*/|' | xargs dpkg-query --search 2>/dev/null | sed 's/:.*//' | sort -u
      """)
    let packages = outcome.output.split(separator: "\n").map(String.init)
    try #require(packages.contains("libyaml-0-2"), "\(outcome.errors)")
    // Debian has these everywhere: its package manager needs them.
    let everywhere: Set = ["libc6", "libgcc-s1", "libstdc++6", "zlib1g"]
    for package in packages where !everywhere.contains(package) {
      #expect(readme.contains("`\(package)`"), "the README does not name \(package)")
    }
  }
}
