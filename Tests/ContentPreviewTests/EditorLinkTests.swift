import Testing

@testable import ContentPreview

/// The editors in which the page may open files.
@Suite struct EditorLinkTests {
  @Test func knowsEditorsByName() {
    #expect(EditorLink("vscode")?.template == "vscode://file{path}:{line}:{column}")
    for name in EditorLink.names {
      #expect(EditorLink(name)?.template.contains("{path}") == true, "\(name)")
    }
  }

  @Test(arguments: ["my-editor://open?file={path}&line={line}", "x.y+z:{path}"])
  func takesTheAddressOfAnother(template: String) {
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
  func takesNothingElse(text: String) { #expect(EditorLink(text) == nil) }
}
