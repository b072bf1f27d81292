import ContentModel
package import ContentReleases
import ContentTargets

/// The objects of earlier releases that show purged content and that the purged release lacked.
///
/// There may be hundreds of releases of thousands of objects. Therefore only the needed parts of
/// files are decoded, each of them once, and none of retired releases.
package struct OlderCopies {
  /// The found objects, each once, in order.
  package private(set) var objects: [ReleaseObject] = []
  /// The number of objects that show a purged entry in another form.
  package private(set) var otherForms = 0
  /// The reasons why releases could not be searched, as sentences.
  package private(set) var problems: [String] = []
  /// Warnings about files that may be damaged records, as sentences.
  private(set) var warnings: [String] = []
  private let place: ChannelPlace
  private var history:
    (list: RetiredReleases, found: ReleaseSearch, files: [RetiredReleases.Mark: ListedFile])?

  /// Searches the releases of a channel for objects that show purged content, besides known objects.
  ///
  /// - Throws: `TargetError`; `DeliveryError` if config cannot be read.
  package init(_ place: ChannelPlace, of contents: [PurgedContent], besides known: [ReleaseObject])
    throws
  {
    self.place = place
    if contents.isEmpty { return }
    let search = try ReleaseSearch(of: place, for: contents, known: Set(known.map(\.digest)))
    var list = try RetiredReleases(place)
    let records = try place.target.list(below: "\(place.channel)/releases/")
    var files: [RetiredReleases.Mark: ListedFile] = [:]
    for file in records { RetiredReleases.mark(ofKey: file.key).map { files[$0] = file } }
    if !list.searched.allSatisfy({ files[$0] != nil }) { list.forget() }
    try search.look(
      at: records.filter { file in
        !(RetiredReleases.mark(ofKey: file.key).map(list.retired.contains) ?? false)
      })
    if !list.searched.isSubset(of: search.whole)
      || !(list.live.map(search.searchedChain.contains) ?? true)
    {
      // The list does not fit: a searched release can no longer be read, or an older config was
      // restored.
      try search.look(at: list.retired.sorted().compactMap { files[$0] })
      list.forget()
    }
    objects = try search.copies()
    otherForms = search.otherForms
    (problems, warnings) = (search.problems, search.warnings)
    history = (list, search, files)
  }

  /// Retires the releases of which nothing is left after a removal, so that later purges skip them.
  ///
  /// After a problem, later purges search them again: a release may be all that names a damaged
  /// record.
  func retire(gone: Set<Digest>) throws {
    guard problems.isEmpty, let (list, search, files) = history else { return }
    let chain = search.searchedChain.union(list.searched)
    let retired = chain.filter { $0 != search.live && search.isNothingLeft(of: $0, without: gone) }
    try list.write(
      retired: list.retired.filter { files[$0] != nil }.union(retired),
      searched: chain.intersection(search.whole).subtracting(retired), live: search.live, at: place)
  }
}
