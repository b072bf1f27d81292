import ArgumentParser
import ContentBuild
import ContentModel
import ContentPreview
import ContentSource
import Diagnostics
import System

extension PreviewCommand {
  /// Returns the source of the preview, which builds in this process so that edits are fast.
  ///
  /// - Throws: an error if a channel cannot be opened.
  func source() throws -> PreviewSource {
    let content = input.content
    let request = BuildRequest(content: content, out: out, judgedBy: common.style.policy)
    let fresh = FreshFiles()
    let builder = PreviewBuilder(request, fresh: fresh)
    return PreviewSource(
      content: content.withoutTrailingSlashes, out: out.withoutTrailingSlashes, fresh: fresh,
      build: { builder.build($0) }, persistAndPrepare: { builder.persistAndPrepare() },
      nextChange: { builder.nextChange },
      read: { try? Self.tree(content) }, channels: try channels(fresh),
      project: { Self.project(content) },
      translations: PreviewTranslations(of: ContentPlace(path: content), mayEdit: edit),
      editor: try editorLink(), networkAddresses: lan ? Network.addresses : [],
      arguments: arguments, now: { Clock.now })
  }

  /// The options of this run as words of a shell's command, without the port.
  private var arguments: [String] {
    var words = comparedChannels
    for (name, value) in [
      ("--content", input.named), ("--out", output.named), ("--editor", editor),
    ] {
      if let value { words += [name, value] }
    }
    words += common.errorOn.flatMap { ["--error-on", $0] }
    let flags = [
      ("--lan", lan), ("--edit", edit), ("--warnings-as-errors", common.warningsAsErrors),
    ]
    return (words + flags.filter(\.1).map(\.0)).map(\.shellWord)
  }

  /// The channels with which the build is compared, without duplicates.
  var comparedChannels: [String] {
    var seen: Set<ExactString> = []
    return (words + channel).filter { seen.insert($0) }
  }

  /// Returns the editor that the command line or the environment names.
  private func editorLink() throws -> EditorLink? {
    let variable = Environment.value(of: Self.editorVariable) ?? ""
    guard let text = editor ?? (variable.isEmpty ? nil : variable) else { return nil }
    guard var link = EditorLink(text) else {
      let origin = editor == nil ? Self.editorVariable : "--editor"
      let names = EditorLink.names.joined(separator: ", ")
      throw Failure(
        .usage, .unknownEditor, "\(origin) is not a known editor: '\(text)'",
        notes: [
          "type one of \(names)", "or an address such as 'vscode://file{path}:{line}:{column}'",
        ])
    }
    link.root = FolderPath.current
    return link
  }

  /// Reads `content.yaml` alone; returns `nil` if it is invalid.
  static func project(_ content: String) -> Project? {
    guard var folder = try? ContentPlace(path: content).unlisted() else { return nil }
    folder.items = [ContentFolder.Item(path: "content.yaml")]
    return ContentReader.read(folder).output?.project
  }

  /// Opens the channels with which the build is compared.
  func channels(_ fresh: FreshFiles) throws -> [ChannelSource] {
    let names = comparedChannels
    if names.isEmpty { return [] }
    let delivery = try DeliveryOptions.parse(["--content", input.content])
    return try names.map { name in
      let opened = try delivery.open(name, using: .ofTarget, writes: false)
      return ChannelSource(
        opened.place, built: BuiltContent(folder: out.withoutTrailingSlashes), fresh: fresh)
    }
  }

  private static func tree(_ content: String) throws -> ContentTree? {
    try tree(ContentPlace(path: content))
  }

  static func tree(_ place: ContentPlace) throws -> ContentTree? {
    var input = ContentInput.read(try place.open())
    return input.takeTree()
  }
}

extension Members {
  /// The members as `--json` prints them after success.
  var asPrinted: Members {
    var members = self
    members.conclude()
    return members
  }
}
