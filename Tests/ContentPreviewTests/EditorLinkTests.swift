import Testing

@testable import ContentPreview

/// The links that open files in editors.
@Suite struct EditorLinkTests {
  @Test func recognizesEditorsByName() {
    #expect(EditorLink("vscode")?.template == "vscode://file{path}:{line}:{column}")
    for name in EditorLink.names {
      #expect(EditorLink(name)?.template.contains("{path}") == true, "\(name)")
    }
  }

  @Test(arguments: ["my-editor://open?file={path}&line={line}", "x.y+z:{path}"])
  func acceptsAnAddress(template: String) {
    #expect(EditorLink(template)?.template == template)
  }

  @Test(arguments: [
    "", "vim", "vscode://file", "{path}", "//{path}", "javascript:alert('{path}')",
    "JavaScript:{path}",
    "http://a/{path}",
    "https://a/{path}", "data:text/html,{path}", "file://{path}", "1a:{path}", "a b:{path}",
    "ed:{path} {line}",
    "ed:\"{path}\"", "ed:{path}\u{9B}", "é:{path}",
  ])
  func refusesEverythingElse(text: String) { #expect(EditorLink(text) == nil) }
}
