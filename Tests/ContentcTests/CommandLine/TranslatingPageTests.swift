import TestServers
import Testing

@testable import TestCommands

/// Follows `docs/guides/translating.md` in a new project.
@Suite struct TranslatingPageTests {
  /// A command in the page, and its printed lines; a line `…` replaces any number of lines.
  private struct Step {
    var command: String
    var output: [String] = []
  }

  @Test func printsWhatThePageSays() throws {
    let sandbox = try Sandbox()
    try sandbox.shell("'\(Sandbox.binary)' init bakery --quiet")
    let steps = try Self.steps()
    #expect(steps.count == 5)
    for step in steps {
      let outcome = try sandbox.tour("cd bakery && \(step.command) 2>&1")
      try expect(step.output, in: outcome.output)
      #expect(outcome.status == (step.command.contains("--fail-on") ? 2 : 0), "\(step.command)")
      // The page describes these two edits between its commands.
      if step.command.contains("translations export") {
        for (source, target) in [
          ("Sourdough loaf", "Pain au levain"), ("Your basket is empty", "Votre panier est vide"),
        ] {
          try replace(
            "\"\(source)\",\"\"", with: "\"\(source)\",\"\(target)\"", in: "fr.csv", of: sandbox)
        }
      } else if step.command.hasSuffix("translations import fr.csv") {
        try replace(
          "Butter croissant", with: "Croissant", in: "content/entries/product/croissant.yaml",
          of: sandbox)
      }
    }
  }

  private func replace(_ old: String, with new: String, in path: String, of sandbox: Sandbox) throws
  {
    let text = String(decoding: try #require(sandbox.read("bakery/\(path)")), as: UTF8.self)
    try #require(text.contains(old))
    try sandbox.write("bakery/\(path)", text.replacing(old, with: new))
  }

  /// The commands that export texts, import translations, and find outdated ones.
  private static func steps() throws -> [Step] {
    let page = try Sandbox.checkedOut("docs/guides/translating.md")
    let headings = [
      "2. Export the texts", "4. Import the translations", "6. Keep translations up to date",
    ]
    var steps: [Step] = []
    for section in page.split(separator: "\n## ") {
      guard headings.contains(where: { section.hasPrefix("\($0)\n") }) else { continue }
      for block in section.matches(of: #/(?s)```console\n(.*?)```/#) {
        for line in block.1.split(separator: "\n", omittingEmptySubsequences: false) {
          if line.hasPrefix("$ ") {
            steps.append(Step(command: String(line.dropFirst(2))))
          } else if !line.isEmpty, !steps.isEmpty {
            steps[steps.count - 1].output.append(String(line))
          }
        }
      }
    }
    return steps
  }

  /// Expects lines in their order, and no others but where the page leaves some out.
  private func expect(_ lines: [String], in output: String) throws {
    var rest = output.split(separator: "\n").map(String.init)[...]
    var isCut = false
    for line in lines {
      if line == "…" {
        isCut = true
        continue
      }
      let place = try #require(rest.firstIndex(of: line), "\(line) is not in \(output)")
      #expect(isCut || place == rest.startIndex, "\(rest.first ?? "") is before \(line)")
      rest = rest[rest.index(after: place)...]
      isCut = false
    }
    #expect(isCut || rest.isEmpty, "\(rest)")
  }
}
