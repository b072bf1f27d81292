import CommandReports
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics

extension ReleaseContent {
  /// The pseudo-locales that it has, and a project does not declare.
  func pseudoLocales(besides project: Project) -> [LocaleTag] {
    let declared = project.locales.declared
    return (members["locales"]?.members ?? Members()).compactMap { LocaleTag($0.key) }
      .filter { $0.isPseudo && !declared.contains($0) }
  }
}

extension OpenChannel {
  /// Refuses content with pseudo-locales, unless the channel is for them.
  func refusePseudoLocales(of content: ReleaseContent) throws(Failure) {
    let found = content.pseudoLocales(besides: project)
    guard !found.isEmpty, !channel.hasPseudoLocales else { return }
    throw Failure(
      .gate, "pseudo-locales",
      "'\(channel.name)' must not get pseudo-locales, and the content has \(found.listed)",
      at: channel.location.path,
      notes: [
        "build without --pseudo, or write 'pseudo: true' for the channel; nothing was changed"
      ])
  }
}
