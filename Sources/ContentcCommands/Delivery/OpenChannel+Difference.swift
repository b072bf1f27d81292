import ContentReleases
import ContentTargets

extension [ReleaseObject] {
  /// The number of bytes of these objects that a release lacks.
  func lacking(in live: LiveRelease?) -> Int {
    let present = Set(live?.record.objects ?? [])
    return filter { !present.contains($0) }.map(\.size).reduce(0, +)
  }
}

extension OpenChannel {
  /// Returns the changes for readers, or `nil` if comparing would fetch half of the live release.
  func summary(from live: LiveRelease?, to content: ReleaseContent) -> DiffPage? {
    (try? difference(from: live, to: content, limit: 200)).map { DiffPage(diff: $0) }
  }

  /// Returns the changes that readers of the live release would see.
  func difference(
    from live: LiveRelease?, to content: ReleaseContent, limit: Int = .max
  ) throws -> ReleaseDiff {
    try ReleaseDiff(
      from: live?.content(at: place.target), to: content, limit: limit, skipsMissing: true,
      explainsSent: true)
  }
}
