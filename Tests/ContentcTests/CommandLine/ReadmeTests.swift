import Testing

@testable import TestCommands

@Suite("The README")
struct ReadmeTests {
  @Test func showsTheOutputOfContentc() throws {
    let outcome = try Sandbox.walk("README.md")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("steps"), "\(outcome.output)")
  }

  /// A page with each mistake that a walk must find.
  @Test(arguments: [
    ("```console\n$ echo one\ntwo\n```", "prints"),
    ("```console\n$ echo one; echo two\none\n```", "prints"),
    ("```console\n$ false\n```", "ends with status 1"),
    ("```yaml\na: 1\n```", "no test can try this block"),
    ("```\n$ true\n```", "a block needs a language"),
    ("~~~console\n$ true\n~~~", "a block needs a language"),
    ("<!-- tried by: NoSuchTests -->\n```console\n$ true\n```", "there is no test"),
    ("<!-- tried by: ReadmeTests -->\n```console\n$ true\n```", "does not name this page"),
    ("```text\n$ true\n```", "nothing tries 'true'"),
    (
      "```yaml title=\"a.yaml\"\na: 1\n```\n```yaml title=\"a.yaml (excerpt)\"\na: 2\n```",
      "status 1"
    ),
    ("```console\n$ contentc --version\nno such version\n```", "prints"),
    ("```console\n$ printf 'one\\ntwo'\none\n```", "prints"),
  ])
  func aWalkFailsOnAWrongPage(page: String, reason: String) throws {
    let sandbox = try Sandbox()
    try sandbox.write("page.md", page + "\n")
    let outcome = try Sandbox.walk("\(sandbox.root)/page.md")
    #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome)")
  }

  @Test func aWalkAcceptsWhatDiffersBetweenRuns() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      "page.md",
      """
      ```console
      $ echo 'in 0.1 s, 12 kB, 2026-12-01T10:00:00Z'; seq 9; false
      in 3.5 s, 9 kB, 2020-01-01T11:22:33Z
      1
      …
      9
      $ echo $?
      1
      $ cat <<END
      > two
      > lines
      > END
      two
      lines
      ```
      ```yaml title="folder/a.yaml"
      a: 1
      ```
      ```console
      $ cat folder/a.yaml
      a: …
      ```

      """)
    let outcome = try Sandbox.walk("\(sandbox.root)/page.md")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasSuffix("5 steps\n"), "\(outcome)")
  }

  @Test func aRecordedWalkKeepsTheLastLineAndTheIndentation() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      "page.md",
      """
      1. Print:

         ```console
         $ printf 'HTTP/1.1 200 OK\\n\\nbody'
         $ echo more
         less
         ```

      """)
    let outcome = try Sandbox.walk("\(sandbox.root)/page.md", records: true)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      sandbox.read("page.md").map { String(decoding: $0, as: UTF8.self) } == """
        1. Print:

           ```console
           $ printf 'HTTP/1.1 200 OK\\n\\nbody'
           HTTP/1.1 200 OK

           body
           $ echo more
           more
           ```

        """)
  }
}
