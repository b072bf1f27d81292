import CommandParts
import CommandReports
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import Diagnostics

extension OpenChannel {
  /// Returns the report of a dry run, which fails as the publication of the draft would; `text`
  /// returns the text for the changes.
  ///
  /// If the live config is older than a purge, a warning says so. An error gets the warning, too:
  /// the live release may lack objects for the same reason.
  func dryRun(
    of draft: Draft, after live: LiveRelease?, repairs: Bool = false, text: (DiffPage) -> String
  ) throws -> Report {
    let warnings = (try? PurgeLedger(place, live: live)).map(restoredConfigWarning) ?? []
    func checked() throws -> Report {
      try publisher.check(draft, after: live, repairs: repairs)
      let assumed = warnings.isEmpty && !repairs ? live?.record.objects ?? [] : []
      if draft.contentRelease != nil { try requireObjects(of: draft.content, besides: assumed) }
      let page = DiffPage(diff: try difference(from: live, to: draft.content))
      var report = Report(text: text(page), json: page.members, isResult: true)
      report.diagnostics = try missingObjectsWarning(live, in: page.diff) + warnings
      return report
    }
    if warnings.isEmpty { return try checked() }
    do { return try Failure.ofDelivery(checked) } catch let failure as Failure {
      return Report(diagnostics: [failure.diagnostic] + warnings, status: failure.status)
    }
  }

  /// Throws the error of a publication that needs objects of the target which it lacks.
  private func requireObjects(of content: ReleaseContent, besides assumed: [ReleaseObject]) throws {
    let known = Set(assumed)
    let present = Set(names: try place.target.list(below: "objects/").map(\.key))
    let missing = content.objects.first { !known.contains($0) && !present.contains($0.key) }
    if let missing { _ = try content.file(missing) }
  }
}
