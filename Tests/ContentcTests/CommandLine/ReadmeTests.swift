import Testing

@testable import TestCommands

@Suite("The README")
struct ReadmeTests {
  @Test func showsTheOutputOfContentc() throws {
    let steps = try DocumentPage("README.md").steps
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
}
