package import ContentModel
package import ContentReleases
package import ContentSource
import Diagnostics

extension ReleaseContent {
  /// Returns the pseudo-locales of the content that are not declared.
  package func pseudoLocales(besides locales: LocaleSet?) -> [LocaleTag] {
    let declared = locales?.declared ?? []
    return (members["locales"]?.members ?? Members()).compactMap { LocaleTag($0.key) }
      .filter { $0.isPseudo && !declared.contains($0) }
  }

  /// Refuses content with pseudo-locales, unless the channel is for them.
  ///
  /// `source` is the channel that the content comes from; `nil` for a build's content.
  package func refusePseudoLocales(
    for channel: Channel, declared locales: LocaleSet?, from source: String? = nil
  ) throws(Failure) {
    let found = pseudoLocales(besides: locales)
    guard !found.isEmpty, !channel.hasPseudoLocales else { return }
    let without =
      source.map { "publish '\($0)' without 'pseudo: true'" } ?? "build without --pseudo"
    throw Failure(
      .gate, .pseudoLocales,
      "'\(channel.name)' must not get pseudo-locales, and the content has \(found.listed)",
      at: channel.location.path.text,
      notes: [
        "\(without), or write 'pseudo: true' for '\(channel.name)'; nothing was changed"
      ])
  }
}
