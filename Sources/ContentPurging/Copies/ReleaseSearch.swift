import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import SiteFormat
import Synchronization
import System

/// A search through the releases of a channel for objects that show purged content.
///
/// A class, since several threads search at a time and share their findings.
final class ReleaseSearch: Sendable {
  typealias Mark = RetiredReleases.Mark

  private struct State {
    var seen: Set<Digest>
    var candidates: [ReleaseObject] = []
    /// The candidates that the target no longer has.
    var missing: Set<Digest> = []
    /// The candidates that show a purged entry in another form.
    var otherForms: Set<Digest> = []
    var releases: [Mark: Release] = [:]
    var builds: [Digest: Build] = [:]
    var shownByLive: [String: [String: Set<Digest>]] = [:]
    /// The keys of the listed files that are no records.
    var unread: [Mark: String] = [:]
    /// The reasons why releases could not be searched, as sentences.
    var problems: [String] = []
  }

  /// The answer to a request for an object.
  private enum Answer {
    case gone
    /// The bytes do not fit the object's name, or cannot be decoded, for a reason.
    case unreadable(String)
    case read(PartlyRead)
  }

  private struct Release {
    var previous: Digest?
    /// The hashes of the build records: one, or one for each side of a rollout; none if the release's
    /// record lacks them.
    var builds: [Digest]
  }

  /// The facts of a build record that was read completely.
  private struct Build {
    /// The removable objects that show an entry and that the live release does not show; `nil` if
    /// objects that cannot be removed do, too.
    var left: Set<Digest>?
  }

  private let target: any Target
  private let contents: [PurgedContent]
  /// The objects that the purge removes in any case.
  private let known: Set<Digest>
  /// The names of the purged entries by datatype.
  private let wanted: [String: [String]]
  private let liveRecord: ReleaseRecord?
  /// The parts of the live release's build records by datatype.
  private let liveParts: [String: Set<Digest>]
  private let state: Mutex<State>

  /// Prepares a search of a channel's releases, which does not return `known` objects.
  init(of place: ChannelPlace, for contents: [PurgedContent], known: Set<Digest>) throws {
    (target, self.contents, self.known) = (place.target, contents, known)
    var wanted: [String: [String]] = [:]
    for id in Set(contents.map(\.entry)) {
      let halves = id.split(separator: "/", maxSplits: 1).map(String.init)
      if halves.count == 2 { wanted[halves[0], default: []].append(halves[1]) }
    }
    self.wanted = wanted
    let live = try place.live()?.record
    liveRecord = live
    state = Mutex(State(seen: known.union(live?.objects.map(\.digest) ?? [])))
    var liveParts: [String: Set<Digest>] = [:]
    guard let live else {
      self.liveParts = [:]
      return
    }
    let builds = Self.builds(live.members["build"]?.digest, live.members["next"]?["build"]?.digest)
    state.withLock {
      $0.releases[RetiredReleases.mark(of: live.digest)] = Release(
        previous: live.previous, builds: builds)
    }
    for build in builds {
      // If a build record of the live release cannot be read, the search reads more objects.
      guard let object = live.objects.first(where: { $0.digest == build }),
        let parts = try Self.readable(object, at: place.target)?["entries"]?.members
      else { continue }
      for (name, part) in parts {
        if let part = part.whole?.digest { liveParts[name, default: []].insert(part) }
      }
      state.withLock { $0.builds[build] = Build(left: []) }
    }
    self.liveParts = liveParts
  }

  /// Returns the build records of a release; both sides of a rollout may have the same one.
  private static func builds(_ stable: Digest?, _ next: Digest?) -> [Digest] {
    [stable, next == stable ? nil : next].compactMap(\.self)
  }

  /// The live release.
  var live: Mark? { liveRecord.map { RetiredReleases.mark(of: $0.digest) } }

  /// The releases whose notes were read.
  var whole: Set<Mark> {
    state.withLock { state in
      Set(
        state.releases.filter { _, release in
          !release.builds.isEmpty && release.builds.allSatisfy { state.builds[$0] != nil }
        }.keys)
    }
  }

  /// The live release and those before it, back to the first one that was not searched.
  var searchedChain: Set<Mark> {
    state.withLock { state in
      var chain: Set<Mark> = []
      var next = live
      while let mark = next, let release = state.releases[mark], chain.insert(mark).inserted {
        next = release.previous.map(RetiredReleases.mark)
      }
      return chain
    }
  }

  /// Returns whether every object of a release that shows an entry is shown by the live release,
  /// missing, or among the removed ones.
  func isNothingLeft(of release: Mark, without gone: Set<Digest>) -> Bool {
    state.withLock { state in
      guard let builds = state.releases[release]?.builds, !builds.isEmpty else { return false }
      return builds.allSatisfy { build in
        state.builds[build]?.left?.allSatisfy { gone.contains($0) || state.missing.contains($0) }
          ?? false
      }
    }
  }

  /// The reasons why releases could not be searched, in order.
  var problems: [String] {
    let damaged = unread(isNamed: true).map {
      "'\($0)' at \(target.name) is damaged: put the file of a backup back, or remove it, so that "
        + "'contentc prune' removes the objects that only this file names"
    }
    return state.withLock { $0.problems.sorted { $0.precedesInBytes($1) } } + damaged
  }

  /// Warnings, as sentences, about files that are no records and that no searched release names.
  var warnings: [String] {
    unread(isNamed: false).map {
      "'\($0)' at \(target.name) is no record of contentc, or damaged; it was left alone, and "
        + "objects that only this file names were not searched"
    }
  }

  /// Returns the keys of the listed files that are no records, in order; a file is damaged if a
  /// searched release names it as the one before.
  private func unread(isNamed: Bool) -> [String] {
    state.withLock { state in
      let named = Set(state.releases.values.compactMap { $0.previous.map(RetiredReleases.mark) })
      return state.unread.filter { named.contains($0.key) == isNamed }.values.sorted {
        $0.precedesInBytes($1)
      }
    }
  }

  /// Searches releases, which their records name; notes a problem for one that cannot be searched.
  func look(at records: [ListedFile]) throws {
    let known = state.withLock { Set($0.releases.keys) }
    _ = try records.mapOverlapped { [self] file in
      guard ReleaseRecord.place(of: file.key) != nil,
        let mark = RetiredReleases.mark(ofKey: file.key),
        !known.contains(mark)
      else { return }
      do { try look(at: file, mark: mark) } catch let error as TargetError {
        state.withLock { $0.problems.append("'\(file.key)': \(error)") }
      }
    }
  }

  /// Returns the objects that show purged content, each once.
  func copies() throws -> [ReleaseObject] {
    let candidates = state.withLock { $0.candidates }.sorted { $0.digest < $1.digest }
    return try candidates.mapOverlapped { [self] in try copy($0) }.compactMap(\.self)
  }

  /// The number of objects that `copies` found to show a purged entry in another form.
  var otherForms: Int { state.withLock { $0.otherForms.count } }

  /// Notes the objects of a release that show one of the entries.
  ///
  /// Objects that a prune or a purge removed are skipped. An incomplete file is an error, and so
  /// are unreadable notes: the objects that show an entry are then unknown.
  private func look(at file: ListedFile, mark: Mark) throws {
    guard let bytes = try target.readWhole(file),
      RetiredReleases.mark(of: Digest(of: bytes)) == mark,
      let record = PartlyRead(bytes)
    else {
      if try target.readAny(file.key) != nil { state.withLock { $0.unread[mark] = file.key } }
      return
    }
    let builds = Self.builds(
      record["build"]?.whole?.digest, record["next"]?["build"]?.whole?.digest)
    let release = Release(previous: record["previous"]?.whole?.digest, builds: builds)
    state.withLock { $0.releases[mark] = release }
    for build in builds where isNew(build) { try look(at: build, of: record) }
  }

  /// Notes the objects that show one of the entries according to a build record.
  private func look(at build: Digest, of record: PartlyRead) throws {
    guard let parts = try object(build, of: record)?["entries"]?.members else { return }
    var (notes, holders, isWhole) = ([Digest: PartlyRead](), Set<Digest>(), true)
    for (datatype, part) in parts {
      guard let rests = wanted[datatype] else { continue }
      guard let part = part.whole?.digest else {
        isWhole = false
        continue
      }
      if liveParts[datatype]?.contains(part) ?? false { continue }
      notes[part] = try object(part, of: record)?["entries"]
      isWhole = isWhole && notes[part] != nil
      for rest in rests {
        holders.formUnion((notes[part]?[rest]?.whole?.items ?? []).compactMap(\.digest))
      }
    }
    for holder in holders where isNew(holder) {
      guard let object = Self.row(holder, of: record), object.showsEntries else { continue }
      state.withLock { $0.candidates.append(object) }
    }
    guard isWhole else { return }
    let found = Build(
      left: try left(of: parts, notes: notes, record: record, removable: known.union(holders)))
    state.withLock { $0.builds[build] = found }
  }

  /// Returns the removable objects that show an entry and that the live release does not show; `nil`
  /// if objects that cannot be removed do, too.
  ///
  /// `notes` are the parts that were read before.
  private func left(
    of parts: [(key: String, value: PartlyRead)], notes: [Digest: PartlyRead],
    record: PartlyRead, removable: Set<Digest>
  ) throws -> Set<Digest>? {
    var left: Set<Digest> = []
    for (datatype, part) in parts {
      guard let part = part.whole?.digest else { return nil }
      if liveParts[datatype]?.contains(part) ?? false { continue }
      let shown = try shownByLive(datatype)
      guard let entries = try notes[part] ?? object(part, of: record)?["entries"],
        let members = entries.members
      else {
        return nil
      }
      for (rest, holders) in members {
        let shown = shown[rest] ?? []
        for holder in (holders.whole?.items ?? []).compactMap(\.digest)
        where !shown.contains(holder) && !left.contains(holder) {
          if removable.contains(holder) {
            left.insert(holder)
          } else if Self.row(holder, of: record)?.showsEntries ?? true {
            return nil
          }
        }
      }
    }
    return left
  }

  /// Returns the objects of the live release that show the entries of a datatype, by the entry's
  /// name.
  private func shownByLive(_ datatype: String) throws -> [String: Set<Digest>] {
    if let known = state.withLock({ $0.shownByLive[datatype] }) { return known }
    var shown: [String: Set<Digest>] = [:]
    for part in (liveParts[datatype] ?? []).sorted() {
      guard let object = liveRecord?.objects.first(where: { $0.digest == part }) else { continue }
      let entries = try Self.readable(object, at: target)?["entries"]?.whole?.members
      for (name, holders) in entries ?? Members() {
        shown[name, default: []].formUnion((holders.items ?? []).compactMap(\.digest))
      }
    }
    state.withLock { $0.shownByLive[datatype] = shown }
    return shown
  }

  /// Returns the object if it shows purged content, or if it cannot be read and its release says
  /// that it shows the entry.
  private func copy(_ object: ReleaseObject) throws -> ReleaseObject? {
    let read: PartlyRead
    switch try Self.answer(object, at: target) {
    case .gone:
      state.withLock { _ = $0.missing.insert(object.digest) }
      return nil
    case .unreadable: return object
    case .read(let list): read = list
    }
    guard let entries = object.isRecipe ? read.entriesOfRecipe : read["entries"] else {
      // An asset may be a property list, but no recipe.
      return object.isRecipe ? object : nil
    }
    let isMeant = contents.contains { purged in
      entries[purged.entry]?.whole.map(purged.isShown) ?? false
    }
    if isMeant { return object }
    if contents.contains(where: { entries[$0.entry] != nil }) {
      state.withLock { _ = $0.otherForms.insert(object.digest) }
    }
    return nil
  }

  private func isNew(_ digest: Digest) -> Bool {
    state.withLock { $0.seen.insert(digest).inserted }
  }

  private func object(_ digest: Digest, of record: PartlyRead) throws -> PartlyRead? {
    guard let object = Self.row(digest, of: record) else { return nil }
    switch try Self.answer(object, at: target) {
    case .gone: return nil
    case .unreadable(let problem): throw TargetError(.failed, problem)
    case .read(let list): return list
    }
  }

  /// Returns the value of an object; `nil` if it is gone or cannot be read.
  private static func readable(_ object: ReleaseObject, at target: any Target) throws -> PartlyRead?
  {
    if case .read(let list) = try answer(object, at: target) { list } else { nil }
  }

  private static func answer(_ object: ReleaseObject, at target: any Target) throws(TargetError)
    -> Answer
  {
    let stored: StoredFile?
    do { stored = try target.read(object.key) } catch
      where [.damaged, .tooLarge].contains(error.kind)
    {
      return .unreadable(error.description)
    }
    guard let stored else { return .gone }
    guard Digest(of: stored.bytes) == object.digest, let list = PartlyRead(stored.bytes) else {
      return .unreadable(
        "\(target.name) gives other bytes than those of '\(object.key)'; if it stays so, remove that file"
      )
    }
    return .read(list)
  }

  private static func row(_ digest: Digest, of record: PartlyRead) -> ReleaseObject? {
    let rows = record["files"] ?? record["objects"]
    guard let row = rows?[digest.hex]?.whole else { return nil }
    return ReleaseObject.readAll([digest.hex: row])?.first
  }
}

extension ReleaseObject {
  /// `true` for an object that can have the values of entries.
  fileprivate var showsEntries: Bool { isPropertyList || isRecipe }
}

extension PartlyRead {
  /// The entries of the bundle that a recipe makes; `nil` if this is no recipe.
  fileprivate var entriesOfRecipe: PartlyRead? {
    whole.flatMap(Recipe.entries(in:)).map { .value(.dictionary($0)) }
  }
}
