import ContentModel

/// Objects, state and journal in memory, for tests and for apps that store nothing.
final class MemoryStorage: ContentStorage {
  private struct Contents: Sendable {
    var state: StoredState?
    var journal = Journal()
    var objects: [SiteObject: [UInt8]] = [:]
    /// The objects in the order of their last use.
    var used: [SiteObject] = []
  }

  private let contents = Locked(Contents())
  private let lock = Locked(())

  func state() throws(ContentError) -> StoredState? { contents.withLock { $0.state } }

  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result? {
    try lock.withLock { _ throws(ContentError) in try work() }
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) {
    contents.withLock { $0.state = state }
  }

  func store(_ journal: Journal, isDurable: Bool) throws(ContentError) {
    contents.withLock { $0.journal = journal }
  }

  func journal() -> Journal { contents.withLock { $0.journal } }

  func bytes(of object: SiteObject) -> [UInt8]? { contents.withLock { $0.objects[object] } }

  func contains(_ object: SiteObject, size: Int?) -> Bool {
    contents.withLock { contents in contents.objects[object].map { $0.count == size ?? $0.count } }
      ?? false
  }

  func holds(_ object: SiteObject, size: Int?) -> Bool { contains(object, size: size) }

  func takeDamagedObjects() -> [SiteObject] { [] }

  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError) {
    contents.withLock {
      if $0.objects.updateValue(bytes, forKey: object) == nil { $0.used.append(object) }
    }
  }

  func remove(_ object: SiteObject) {
    contents.withLock {
      $0.objects[object] = nil
      $0.used.removeAll { $0 == object }
    }
  }

  func objects() -> [(object: SiteObject, size: Int)] {
    contents.withLock { contents in
      contents.used.map { ($0, contents.objects[$0]?.count ?? 0) }
    }
  }

  func path(of object: SiteObject) -> String? { nil }

  func removeAbandonedFiles() {}

  var stamp: Int { 0 }
}
