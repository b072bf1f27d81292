import ContentModel
import ContentReleases
import PropertyLists
import System
import SystemC

/// Makes a new release from a live one without its content folder: edits bundles, and the lists and
/// indexes that name them.
struct ReleaseEditor {
  let live: ReleaseReader
  let edit: BundleEdit
  /// The sources from which entries are restored.
  let earlier: Restoration
  /// The affected contexts; the others keep their bundles.
  let contexts: [ReleaseContext]

  /// A bundle to edit.
  private struct Job: Hashable, Sendable {
    var bundle: Digest
    /// The sources of restored entries, by id.
    var earlier: [String: Source] = [:]
    var insertions: [Insertion] = []
    /// The bundle in its place in the release from which entries are restored.
    var origin: Source?
  }

  /// A bundle of an earlier release.
  private struct Source: Hashable, Sendable {
    /// The release's index in the restoration.
    var release: Int
    /// The bundle; `nil` if that release had none in its place.
    var bundle: Digest?
  }

  /// A bundle after its edit.
  struct Edited: Sendable {
    var outcome: BundleEdit.Outcome
    var object: NewObject

    /// `true` if no entry is left.
    var isEmptied: Bool { outcome.bundle["entries"]?.members?.isEmpty ?? true }
  }

  /// The result of an edit.
  struct Outcome {
    /// The new indexes by context.
    var indexes: [ReleaseContext: Digest] = [:]
    /// The new objects.
    var objects: [Digest: NewObject] = [:]
    /// The new objects in the place of each old bundle, list or index.
    var successors: [Digest: Set<Digest>] = [:]
    /// The old and new forms of each changed entry, by id.
    var changes: [String: Set<EntryChange>] = [:]
    /// The contexts that show each change of an entry, by id.
    var contextsOfChanges: [String: [EntryChange: Set<ReleaseContext>]] = [:]
    /// The contexts that show each changed entry, by id.
    var contexts: [String: Set<ReleaseContext>] = [:]
    var unlisted: Set<String> = []
    var referring: Set<BundleEdit.ReferringField> = []
    /// The new bundles into which each entry was inserted, by id.
    var inserted: [String: Set<Digest>] = [:]
    /// The bundles that lose a restored entry, because they lacked it in the earlier release, by id.
    var withdrawn: [String: Set<String>] = [:]

    /// The datatypes of entries whose bundles changed; `nil` for all, because removed assets may be
    /// shown by any entry.
    var reachedDatatypes: Set<String>? {
      guard changes.values.allSatisfy({ $0.allSatisfy { $0.old?.assets.isEmpty ?? true } }) else {
        return nil
      }
      let kept = objects.values.flatMap { ($0.value["entries"]?.members ?? Members()).map(\.key) }
      return Set((kept + changes.keys).map { String($0.prefix { $0 != "/" }) })
    }
  }

  struct EntryChange: Hashable, Sendable {
    /// The old form; `nil` for a restored entry.
    var old: Value?
    /// The new form; `nil` for a removed entry.
    var new: Value?
  }

  /// The edited bundles of a context, by their rows in the live release.
  struct ContextChanges {
    let context: ReleaseContext
    var rows: [ReleasedBundle: Edited]
  }

  /// An object that the target lacks.
  struct NewObject: Sendable {
    var value: Value
    var bytes: [UInt8]
    var fileExtension: String
    var digest: Digest

    init(_ value: Value, as format: PropertyListFormat) throws {
      self.value = value
      bytes = try PropertyList.encode(value, as: format)
      fileExtension = format.fileExtension
      digest = Digest(of: bytes)
    }

    var object: ReleaseObject {
      ReleaseObject(digest: digest, fileExtension: fileExtension, size: bytes.count)
    }
  }

  /// Edits each affected bundle once, and relinks the lists and indexes of each context.
  func run() throws -> Outcome {
    var places: [ReleaseContext: [ReleasedBundle: Job]] = [:]
    try live.load(live.contexts)
    let restored = try restored()
    for context in contexts { places[context] = try jobs(of: context, restoring: restored) }
    let wanted = Set(places.values.flatMap(\.values)).sorted { $0.bundle < $1.bundle }
    let edited = try wanted.mapOverlapped(atOnce: live.content.readsAtOnce) { [self] job in
      try edit(job)
    }
    let results = Dictionary(uniqueKeysWithValues: zip(wanted, edited))
    var outcome = Outcome()
    for context in contexts {
      var rows = (places[context] ?? [:]).compactMapValues { job in results[job].flatMap(\.self) }
      rows.merge(try added(to: context)) { edited, _ in edited }
      if rows.isEmpty { continue }
      try link(ContextChanges(context: context, rows: rows), into: &outcome)
    }
    return outcome
  }

  /// Returns the bundles of a context that may change, with the sources of their restored entries.
  private func jobs(
    of context: ReleaseContext, restoring restored: [Digest: [String]]
  ) throws -> [ReleasedBundle: Job] {
    var places: [Int: BundlePlaces] = [:]
    for release in Set(earlier.sources.values.compactMap { $0[context] }) {
      places[release] = BundlePlaces(try earlier.releases[release].reader.rows(context))
    }
    var jobs: [ReleasedBundle: Job] = [:]
    let candidates = try findCandidates()
    for row in try live.rows(context) where candidates?.contains(row.object) ?? true {
      var job = Job(bundle: row.object)
      for id in restored[row.object] ?? [] {
        guard let release = earlier.sources[id]?[context] else { continue }
        job.earlier[id] = Source(release: release, bundle: places[release]?.object(for: row))
      }
      jobs[row] = job
    }
    try insert(into: &jobs, of: context)
    return jobs
  }

  /// Adds the restored entries to jobs, and the earlier bundles that may list them.
  private func insert(
    into jobs: inout [ReleasedBundle: Job], of context: ReleaseContext
  ) throws {
    let releases = Set(earlier.insertionSources.values.compactMap { $0[context] })
    if releases.isEmpty { return }
    for row in try live.rows(context) {
      var job = jobs[row] ?? Job(bundle: row.object)
      for (_, places) in earlier.insertions.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        let own = (places[context] ?? []).filter { $0.row.bundle == row.bundle }
        let place =
          own.first { $0.row.variant == row.variant } ?? own.first(where: \.row.variant.isEmpty)
        if let place { job.insertions.append(place.insertion) }
      }
      for release in releases.sorted() {
        let origin = BundlePlaces(try earlier.releases[release].reader.rows(context)).object(
          for: row)
        if let origin, origin != row.object {
          job.origin = job.origin ?? Source(release: release, bundle: origin)
        }
      }
      if !job.insertions.isEmpty || job.origin != nil { jobs[row] = job }
    }
  }

  /// Returns the ids of restored entries by the bundle that has them.
  private func restored() throws -> [Digest: [String]] {
    var restored: [Digest: [String]] = [:]
    for id in earlier.sources.keys {
      for holder in try live.holders(of: id) ?? [] { restored[holder, default: []].append(id) }
    }
    return restored
  }

  /// Returns the bundles to edit; `nil` for all, because any of them may refer to a removed entry.
  private func findCandidates() throws -> Set<Digest>? {
    if !edit.removed.isEmpty { return nil }
    var candidates = Set<Digest>()
    for id in edit.edits.keys {
      guard let holders = try live.holders(of: id) else { return nil }
      candidates.formUnion(holders)
    }
    return candidates
  }

  /// Returns a bundle after its edit; `nil` if the edit changes nothing.
  private func edit(_ job: Job) throws -> Edited? {
    let bytes = try live.bytes(of: job.bundle)
    let origin = try origin(of: job)
    guard
      !job.insertions.isEmpty || origin != nil
        || edit.edits.keys.contains(where: { bytes.contains($0) })
    else {
      return nil
    }
    let (bundle, format) = try live.decoded(bytes, of: job.bundle)
    var sources: [String: Value?] = [:]
    for (id, source) in job.earlier {
      let reader = earlier.releases[source.release].reader
      sources.updateValue(try source.bundle.flatMap { try reader.entries(of: $0)[id] }, forKey: id)
    }
    let outcome = edit.applied(
      to: bundle, earlier: sources, inserting: job.insertions, from: origin)
    guard !outcome.isEmpty || !outcome.referring.isEmpty else { return nil }
    return Edited(outcome: outcome, object: try NewObject(outcome.bundle, as: format))
  }

  /// Returns the bundle that listed the restored entries; `nil` if there is none, or if it
  /// cannot be read.
  private func origin(of job: Job) throws -> Value? {
    guard let origin = job.origin, let digest = origin.bundle else { return nil }
    let reader = earlier.releases[origin.release].reader
    do {
      let bytes = try reader.bytes(of: digest)
      guard edit.edits.keys.contains(where: { bytes.contains($0) }) else { return nil }
      return try reader.decoded(bytes, of: digest).value
    } catch is DeliveryError { return nil }
  }

  /// Returns the bundles of single entries that are restored in a context's lists.
  private func added(to context: ReleaseContext) throws -> [ReleasedBundle: Edited] {
    let known = Set(try live.rows(context).map(\.bundle))
    var added: [ReleasedBundle: Edited] = [:]
    for (id, places) in earlier.insertions {
      for place in places[context] ?? [] where !known.contains(place.row.bundle) {
        guard let release = earlier.insertionSources[id]?[context] else { continue }
        let reader = earlier.releases[release].reader
        let (bundle, format) = try reader.decoded(
          try reader.bytes(of: place.row.object), of: place.row.object)
        guard var members = bundle.members else { continue }
        let entry = edit.inserted(place.insertion)
        members["entries"] = .dictionary(Members([(id, entry)]))
        members["order"] = bundle["order"].map { _ in [.string(id)] }
        var outcome = BundleEdit.Outcome(bundle: .dictionary(members))
        outcome.changes = [BundleEdit.Change(id: id, old: nil, new: entry)]
        added[place.row] = Edited(
          outcome: outcome, object: try NewObject(outcome.bundle, as: format))
      }
    }
    return added
  }

  /// Puts edited bundles in the place of the old ones in a context's lists and index.
  private func link(_ changes: ContextChanges, into all: inout Outcome) throws {
    guard let digest = live.index(of: changes.context),
      var index = try live.value(of: digest).members
    else { return }
    for (row, edited) in changes.rows { note(edited, of: row, in: changes.context, into: &all) }
    var changed = changes
    changed.rows = changes.rows.filter { !$0.value.outcome.isEmpty }
    if changed.rows.isEmpty { return }
    var bundles = index["bundles"]?.members ?? Members()
    var startup = index["startup"]?.members ?? Members()
    for (name, row) in bundles {
      if let parts = BundleParts(row) {
        bundles[name] = try relinked(row, of: name, parts: parts, with: changed, into: &all)
      } else {
        bundles[name] = relinked(row, of: name, with: changed)
        let own = ReleasedBundle.all(in: row, of: name).first { $0.variant.isEmpty }
        if startup[name] != nil, let new = own.flatMap({ changed.rows[$0] }) {
          startup[name] = new.outcome.bundle
        }
      }
    }
    index["bundles"] = .dictionary(bundles)
    if index["startup"] != nil { index["startup"] = .dictionary(startup) }
    let new = try NewObject(.dictionary(index), as: live.content.format)
    all.objects[new.digest] = new
    all.successors[digest, default: []].insert(new.digest)
    all.indexes[changes.context] = new.digest
  }

  private func note(
    _ edited: Edited, of row: ReleasedBundle, in context: ReleaseContext, into all: inout Outcome
  ) {
    all.referring.formUnion(edited.outcome.referring)
    all.unlisted.formUnion(edited.outcome.unlisted)
    for change in edited.outcome.changes {
      let forms = EntryChange(old: change.old, new: change.new)
      all.changes[change.id, default: []].insert(forms)
      if !earlier.isEmpty {
        all.contextsOfChanges[change.id, default: [:]][forms, default: []].insert(context)
      }
      all.contexts[change.id, default: []].insert(context)
      if change.old == nil { all.inserted[change.id, default: []].insert(edited.object.digest) }
      if change.new == nil, earlier.sources[change.id] != nil {
        all.withdrawn[change.id, default: []].insert(row.bundle)
      }
    }
    if edited.outcome.isEmpty { return }
    all.objects[edited.object.digest] = edited.object
    all.successors[row.object, default: []].insert(edited.object.digest)
  }

  /// Returns the row of a bundle and of its variants.
  func relinked(_ row: Value, of name: String, with changes: ContextChanges) -> Value {
    guard var members = row.members else { return row }
    func update(_ members: inout Members, for row: ReleasedBundle) {
      guard let new = changes.rows[row] else { return }
      members["object"] = new.object.digest.value(in: live.content.format)
      members["size"] = .integer(Int64(new.object.bytes.count))
      members["count"] = .integer(Int64(new.outcome.bundle["entries"]?.members?.count ?? 0))
      // Readers wait for the release, so that no recipe is made.
      members["text"] = nil
    }
    let rows = ReleasedBundle.all(in: row, of: name)
    if let own = rows.first(where: { $0.variant.isEmpty }) { update(&members, for: own) }
    if let variants = row["variants"]?.items {
      members["variants"] = .array(
        variants.map { variant in
          guard var members = variant.members else { return variant }
          if let row = rows.first(where: { $0.variant == ReleasedBundle.name(of: variant) }) {
            update(&members, for: row)
          }
          return .dictionary(members)
        })
    }
    return .dictionary(members)
  }
}

extension [UInt8] {
  /// Returns whether the bytes contain those of a text.
  fileprivate func contains(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { wanted in
      withUnsafeBytes { bytes in
        // The slash of an id is rarer than its first letter.
        let pivot = wanted.firstIndex(of: UInt8(ascii: "/")) ?? 0
        guard let text = wanted.baseAddress, let start = bytes.baseAddress,
          bytes.count >= wanted.count
        else {
          return false
        }
        let end = start + bytes.count - wanted.count + pivot + 1
        var place = start + pivot
        while place < end, let found = memchr(place, Int32(wanted[pivot]), end - place) {
          if memcmp(found - pivot, text, wanted.count) == 0 { return true }
          place = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
