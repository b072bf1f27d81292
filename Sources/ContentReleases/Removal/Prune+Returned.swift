import ContentModel
import ContentTargets

/// Purged objects that exist again, as after a backup of `objects/` was restored.
extension Prune {
  /// Returns the keys of the purged objects that exist again and that a run would remove at once.
  ///
  /// - Throws: `DeliveryError` if a file of a purge or a record cannot be read; `TargetError`.
  package func returnedObjects() throws -> [String] {
    let files = try target.list(below: "objects/")
    return try unnamed(returned(among: files, of: ChannelSurvey(target, own: own)) {}) {}.names
  }

  /// Returns the purged objects that exist again, although no release was published with them since.
  func returned(
    among files: [ListedFile], of survey: ChannelSurvey, beat: () throws -> Void
  ) throws -> [ReleaseObject] {
    let present = Set(names: files.map(\.key))
    /// The time of the last purge of each object.
    var purged: [ReleaseObject: Instant] = [:]
    for channel in survey.channels {
      for purge in try purges(channel.place, channel.live) {
        for object in purge.objects where present.contains(object.key) {
          purged[object] = max(purged[object] ?? purge.issued, purge.issued)
        }
      }
      try beat()
    }
    guard let first = purged.values.min() else { return [] }
    for channel in survey.channels {
      var chain = try channel.place.chain()
      while let record = try chain.next(), let issued = record.issued, issued > first {
        try beat()
        if record.contentRelease != record.number { continue }
        for object in record.objects where purged[object].map({ $0 < issued }) ?? false {
          purged[object] = nil
        }
      }
    }
    return Array(purged.keys)
  }

  /// Returns the keys of those of some objects that neither a live release nor one under way shows.
  func unnamed(
    _ objects: [ReleaseObject], beat: () throws -> Void
  ) throws -> Set<ExactString> {
    if objects.isEmpty { return [] }
    let named = try NamedObjects(at: target, own: own, now: now, beat: beat)
    return Set(
      names: objects.filter {
        named.shown[$0.digest] == nil && named.underWay[$0.digest] == nil
      }.map(\.key))
  }
}
