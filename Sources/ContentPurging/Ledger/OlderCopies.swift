import ContentModel
package import ContentReleases
import ContentTargets

/// Objects of earlier releases that show what was purged, in releases that look otherwise than the
/// live one did.
///
/// There may be hundreds of releases of thousands of objects. Therefore only the needed parts of
/// files are decoded, each of them once, and none of retired releases.
package struct OlderCopies {
  /// Each once, in order.
  package private(set) var objects: [ReleaseObject] = []
  /// The reasons why releases could not be searched, as sentences.
  package private(set) var problems: [String] = []
  private let place: ChannelPlace
  private var history:
    (list: RetiredReleases, found: ReleaseSearch, files: [RetiredReleases.Mark: ListedFile])?

  /// Looks through the records of a channel for objects that show what must not come back, besides
  /// some that are known.
  ///
  /// - Throws: `TargetError`.
  package init(_ place: ChannelPlace, of contents: [PurgedContent], besides known: [ReleaseObject])
    throws
  {
    self.place = place
    if contents.isEmpty { return }
    let search = try ReleaseSearch(place, contents, known: Set(known.map(\.digest)))
    var list = try RetiredReleases(place)
    let records = try place.target.list(below: "\(place.channel)/releases/")
    var files: [RetiredReleases.Mark: ListedFile] = [:]
    for file in records { RetiredReleases.mark(ofKey: file.key).map { files[$0] = file } }
    if !list.searched.allSatisfy({ files[$0] != nil }) { list.forget() }
    try search.look(
      at: records.filter { file in
        !(RetiredReleases.mark(ofKey: file.key).map(list.retired.contains) ?? false)
      })
    if !list.searched.isSubset(of: search.whole) || !(list.live.map(search.won.contains) ?? true) {
      // Retired releases may be of use again: a searched one cannot be read any more, or an older
      // config was restored.
      try search.look(at: list.retired.sorted().compactMap { files[$0] })
      list.forget()
    }
    (objects, problems) = (try search.copies(), search.problems)
    history = (list, search, files)
  }

  /// Notes the releases of which nothing is left, now that some objects are gone; without it the
  /// next purge takes longer.
  func retire(gone: Set<Digest>) throws {
    guard let (list, search, files) = history else { return }
    let won = search.won.union(list.searched)
    let retired = won.filter { $0 != search.live && search.isNothingLeft(of: $0, without: gone) }
    try list.write(
      retired: list.retired.filter { files[$0] != nil }.union(retired),
      searched: won.intersection(search.whole).subtracting(retired), live: search.live, at: place)
  }
}
