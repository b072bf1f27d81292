import ContentModel
import ContentReleases
import ContentTargets

extension OpenChannel {
  /// Returns the report of a dry run, which fails as the publication of the draft would; `text`
  /// returns the text for the changes.
  func dryRun(
    of draft: Draft, after live: LiveRelease?, repairs: Bool = false, text: (DiffPage) -> String
  ) throws -> Report {
    try publisher.check(draft, after: live, repairs: repairs)
    let assumed = repairs ? [] : live?.record.objects ?? []
    if draft.contentRelease != nil { try requireObjects(of: draft.content, besides: assumed) }
    let page = DiffPage(diff: try difference(from: live, to: draft.content))
    var report = Report(text: text(page), json: page.members, isResult: true)
    report.diagnostics = try missingObjectsWarning(live, in: page.diff)
    return report
  }

  /// Throws the error of a publication that needs objects of the target which it lacks.
  private func requireObjects(of content: ReleaseContent, besides assumed: [ReleaseObject]) throws {
    let known = Set(assumed)
    let present = Set(names: try place.target.list(below: "objects/").map(\.key))
    let missing = content.objects.first { !known.contains($0) && !present.contains($0.key) }
    if let missing { _ = try content.file(missing) }
  }
}
