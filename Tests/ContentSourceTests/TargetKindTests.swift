import ContentSource
import Diagnostics
import TestInputs
import Testing

/// The kinds of targets in the documents and in the table of rules.
@Suite struct TargetKindTests {
  @Test func documentsEachKind() throws {
    let rows = Channel.TargetKind.allCases.map { [Self.cell($0), $0.facts.summary] }
    try DerivedTable(["target", ""], rows).expect(in: "docs/reference/publishing.md")
  }

  @Test func documentsWhatAnAddressCanDo() throws {
    let rows = Channel.TargetKind.allCases.map { kind in
      ["`target`: \(Self.cell(kind))", "content", kind.facts.usage, kind.facts.check]
    }
    try DerivedTable(["value", "from", "used in", "check"], rows)
      .expect(in: "docs/reference/security.md", rowsBeginning: "`target`: ")
  }

  @Test func theRuleNamesEachKind() {
    let rule = Rule.targetAddress.summary.lowercased()
    #expect(rule.hasSuffix("be \(Channel.TargetKind.forms.lowercased())"))
  }

  private static func cell(_ kind: Channel.TargetKind) -> String {
    kind == .folder ? kind.facts.form : "`\(kind.facts.form)`"
  }
}
