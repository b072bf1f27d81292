import TestInputs
import Testing

@testable import Diagnostics

/// Reads what `contentc` prints in GitHub Actions as the runner does.
@Suite struct WorkflowCommandTests {
  private static let texts = [
    "50 % off", "%0A%0D%25%3A%2C", "%250A", "a: b, c=d; e", "one\ntwo\r\nthree\r", "x::y::z",
    "\u{1F339} e\u{301} \u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "##[add-mask]x", "::add-mask::x", " ",
  ]

  @Test(arguments: texts) func theRunnerReadsTheSameText(text: String) {
    let command = WorkflowCommand(
      name: "error", properties: [("file", "a \(text).yaml"), ("title", "t\(text)")], data: text)
    #expect(command.line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    let read = ActionsRunner.commands(in: command.line)
    #expect(read.count == 1)
    #expect(read.first?.name == "error")
    #expect(read.first?.data.utf8.elementsEqual(text.utf8) == true)
    #expect(read.first?.properties["file"]?.utf8.elementsEqual("a \(text).yaml".utf8) == true)
    #expect(read.first?.properties["title"]?.utf8.elementsEqual("t\(text)".utf8) == true)
  }

  @Test(arguments: [
    "::add-mask::secret", "a\n::stop-commands::x", "  \t::set-output name=a::b",
    "\u{3000}\u{A0}::debug::x", "a\r::error::x", "\u{AD}::add-mask::x", ":\u{200D}:add-mask::x",
    "::Add-Mask::x", "2 | ##[add-matcher]/tmp/x", "###[group]x", "#\u{34F}#[group]x",
    "##[add-mask]", "::::add-mask::x\n::group::y", "\u{85}::echo::on", "\0::add-mask::x",
  ])
  func foreignTextIsNoCommand(text: String) {
    let isCommand = !ActionsRunner.commands(in: text).isEmpty
    let isHarmless = text.hasSuffix("##[add-mask]") || isCommand
    #expect(isHarmless, "the test has a text that is no command")
    let shown = text.withoutWorkflowCommands()
    #expect(ActionsRunner.commands(in: shown) == [])
    #expect(shown.contains("\u{FFFD}"))
    let escaped = text.withoutWorkflowCommands(replacement: {
      "\\u00" + String($0.value, radix: 16)
    })
    #expect(ActionsRunner.commands(in: escaped) == [])
  }

  @Test(arguments: [
    "a::b", "2 | ::error::x", "## [x]", "# [x](y)", "a: b", ": :error: x", ":", "##", "[]",
    "a.yaml:1:2: error: x [y]", "\u{1F339}\u{FE0F}",
  ])
  func ordinaryTextStaysTheSame(text: String) {
    #expect(text.withoutWorkflowCommands().utf8.elementsEqual(text.utf8))
  }
}
