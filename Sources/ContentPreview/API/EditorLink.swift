/// The address that opens a file at a line in an editor, such as
/// `vscode://file{path}:{line}:{column}`.
///
/// The page uses it as a link, so the preview itself runs no program. Only the command line and the
/// environment can set it, never the content.
package struct EditorLink: Hashable, Sendable {
  /// The address with `{path}`, and optionally `{line}` and `{column}`.
  package let template: String
  /// The folder to which paths are relative.
  package var root = ""

  /// Creates a link from the name of a known editor or an address; `nil` for anything else.
  package init?(_ text: String) {
    let template = Self.known.first { $0.name == text }?.template ?? text
    let isPlain = template.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !#"<>"\`^|"#.utf8.contains($0)
    }
    guard isPlain, template.contains("{path}"), let colon = template.firstIndex(of: ":") else {
      return nil
    }
    let scheme = template[..<colon]
    guard scheme.first?.isLetter == true,
      scheme.allSatisfy({ $0.isLowercase || $0.isNumber || "+.-".contains($0) }),
      !Self.refused.contains(String(scheme))
    else { return nil }
    self.template = template
  }

  /// The names of known editors.
  package static var names: [String] { known.map(\.name) }

  private static let known: [(name: String, template: String)] = [
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("windsurf", "windsurf://file{path}:{line}:{column}"),
    ("zed", "zed://file{path}:{line}:{column}"),
    ("idea", "idea://open?file={path}&line={line}&column={column}"),
    ("sublime", "subl://open?url=file://{path}&line={line}&column={column}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("bbedit", "x-bbedit://open?url=file://{path}&line={line}"),
    ("macvim", "mvim://open?url=file://{path}&line={line}&column={column}"),
  ]

  /// The schemes that browsers handle themselves.
  private static let refused = [
    "about", "blob", "data", "file", "filesystem", "ftp", "http", "https", "javascript", "vbscript",
    "view-source",
    "ws", "wss",
  ]
}
