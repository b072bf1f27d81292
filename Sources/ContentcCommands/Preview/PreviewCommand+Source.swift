import ArgumentParser
import ContentModel
import ContentPreview
import ContentSource

extension PreviewCommand {
  /// What is previewed: this process builds as `contentc build` does, so that edits are quick.
  ///
  /// - Throws: where a channel cannot be opened.
  func source() throws -> PreviewSource {
    let content = input.content
    let request = BuildRequest(
      content: content, out: out, gzip: true, fresh: false, cache: nil, at: nil, style: style)
    let fresh = FreshFiles()
    let builder = PreviewBuilder(request, fresh)
    return PreviewSource(
      content: content.withoutTrailingSlashes, out: out.withoutTrailingSlashes, fresh: fresh,
      build: { builder.build($0) }, settle: { builder.settle() },
      nextChange: { builder.nextChange },
      read: { try? Self.tree(content) }, explanation: { ExplanationPage(explanation: $0).members.asPrinted },
      channels: try channels(fresh), now: { Clock.now })
  }

  /// Those that the build is held against, each once.
  private func channels(_ fresh: FreshFiles) throws -> [ChannelSource] {
    if channel.isEmpty { return [] }
    let delivery = try DeliveryOptions.parse(["--content", input.content])
    let project = try delivery.project()
    let names = channel.enumerated().filter { !channel.prefix($0.offset).contains($0.element) }.map(\.element)
    return try names.map { name in
      let opened = try delivery.open(try delivery.channel(name, of: project), of: project, writes: false)
      return ChannelSource(opened.place, BuiltContent(folder: out.withoutTrailingSlashes), fresh)
    }
  }

  /// It says nothing itself, and tells all that it came to.
  private var style: ReportStyle {
    var style = common.style
    (style.quiet, style.json) = (true, true)
    return style
  }

  private static func tree(_ content: String) throws -> ContentTree? {
    var input = try ContentInput(ContentPlace(path: content))
    return input.takeTree()
  }
}

extension Members {
  /// As `--json` prints them where nothing went wrong.
  var asPrinted: Members {
    var members = self
    (members["ok"], members["errors"], members["warnings"]) = (true, 0, 0)
    return members
  }
}
