import Testing

@Suite("The README")
struct ReadmeTests {
  @Test func printsOnItsTourWhatContentcPrints() throws {
    let steps = try Readme().steps
    try #require(steps.count > 8)
    let script = steps.map { "\($0.command)\nprintf '\\036'\n" }.joined()
    let path = "PATH=\(Sandbox.binary.dropLast("/contentc".count)):/usr/bin:/bin"
    let outcome = try Sandbox().run("/usr/bin/env", [path, "/bin/sh", "-c", "exec 2>&1\n" + script])
    let printed = outcome.output.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
    try #require(printed.count == steps.count + 1)
    for (step, output) in zip(steps, printed) {
      #expect(output.withoutMeasurements == step.output.withoutMeasurements, "$ \(step.command)")
    }
  }

  @Test func readsABuildWithTenLinesOfPython() throws {
    try expectReader("python", "reader.py", ranWith: "python3 reader.py")
    let script = try #require(Readme().blocks("python").first)
    #expect(script.split(separator: "\n").count == 10)
  }

  @Test func readsABuildWithSwift() throws {
    let compile = "HOME=$PWD swiftc -module-cache-path modules reader.swift -o reader"
    try expectReader("swift", "reader.swift", ranWith: "\(compile) && ./reader")
  }

  /// Runs a reader of the README over the sample, from files in place of a server.
  private func expectReader(_ language: String, _ file: String, ranWith command: String) throws {
    let readme = try Readme()
    let sandbox = try Sandbox()
    let built = try sandbox.run("build", "--quiet", "--content", "\(Sandbox.checkout)/content")
    try #require(built.status == 0, "\(built.errors)")
    let script = try #require(readme.blocks(language).first)
    try sandbox.write(file, script.replacing("http://localhost:8000/", with: "file://\(sandbox.root)/out/"))
    let outcome = try sandbox.shell(command)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == readme.printedByReaders)
  }
}
