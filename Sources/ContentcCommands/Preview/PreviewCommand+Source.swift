import ContentModel
import ContentPreview
import ContentSource

extension PreviewCommand {
  /// What is previewed: this process builds as `contentc build` does, so that edits are quick.
  var source: PreviewSource {
    let content = input.content
    let request = BuildRequest(
      content: content, out: out, gzip: true, fresh: false, cache: nil, at: moment.at, style: style)
    let fresh = FreshFiles()
    let builder = PreviewBuilder(request, fresh)
    return PreviewSource(
      content: content.withoutTrailingSlashes, out: out.withoutTrailingSlashes, fresh: fresh,
      build: { builder.build($0) }, settle: { builder.settle() },
      read: { try? Self.tree(content) }, explanation: { ExplanationPage(explanation: $0).previewMembers },
      now: { Clock.now })
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

extension ExplanationPage {
  /// As `contentc explain --json` prints it.
  fileprivate var previewMembers: Members {
    var members = members
    (members["ok"], members["errors"], members["warnings"]) = (true, 0, 0)
    return members
  }
}
