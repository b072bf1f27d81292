import ArgumentParser
import ContentBuild
import ContentModel
import ContentPreview
import ContentSource
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PreviewCommand {
  /// What is previewed: this process builds as `contentc build` does, so that edits are quick.
  ///
  /// - Throws: where a channel cannot be opened.
  func source() throws -> PreviewSource {
    let content = input.content
    let request = BuildRequest(content: content, out: out, judgedBy: common.style.policy)
    let fresh = FreshFiles()
    let builder = PreviewBuilder(request, fresh)
    return PreviewSource(
      content: content.withoutTrailingSlashes, out: out.withoutTrailingSlashes, fresh: fresh,
      build: { builder.build($0) }, persist: { builder.persist() },
      nextChange: { builder.nextChange },
      read: { try? Self.tree(content) },
      explanation: { ExplanationPage(explanation: $0).members.asPrinted },
      channels: try channels(fresh), devices: { Self.devices(content) }, editor: try editorLink(),
      networkAddresses: lan ? Network.addresses : [], now: { Clock.now })
  }

  /// The editor that the command line or the environment names.
  private func editorLink() throws -> EditorLink? {
    let variable = Environment.value(of: Self.editorVariable) ?? ""
    guard let text = editor ?? (variable.isEmpty ? nil : variable) else { return nil }
    guard var link = EditorLink(text) else {
      let origin = editor == nil ? Self.editorVariable : "--editor"
      let names = EditorLink.names.joined(separator: ", ")
      throw Failure(
        .usage, "unknown-editor", "\(origin) names no editor that is known: '\(text)'",
        notes: [
          "type one of \(names)", "or an address such as 'vscode://file{path}:{line}:{column}'",
        ])
    }
    link.root = Self.workingFolder
    return link
  }

  /// The folder that relative paths begin at.
  private static var workingFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func devices(_ content: String) -> [String] {
    let delivery = try? DeliveryOptions.parse(["--content", content])
    return (try? delivery?.project())?.devices.declared.map(\.name) ?? []
  }

  /// Those that the build is held against, each once.
  private func channels(_ fresh: FreshFiles) throws -> [ChannelSource] {
    let channel = words + channel
    if channel.isEmpty { return [] }
    let delivery = try DeliveryOptions.parse(["--content", input.content])
    let project = try delivery.project()
    let names = channel.enumerated().filter { !channel.prefix($0.offset).contains($0.element) }.map(
      \.element)
    return try names.map { name in
      let opened = try delivery.open(
        try delivery.channel(name, of: project), of: project, writes: false)
      return ChannelSource(opened.place, BuiltContent(folder: out.withoutTrailingSlashes), fresh)
    }
  }

  private static func tree(_ content: String) throws -> ContentTree? {
    var input = ContentInput(reading: try ContentPlace(path: content).open())
    return input.takeTree()
  }
}

extension Members {
  /// As `--json` prints them where nothing went wrong.
  var asPrinted: Members {
    var members = self
    members.conclude()
    return members
  }
}
