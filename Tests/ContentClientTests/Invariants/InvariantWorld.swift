import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestSigning

@testable import ContentClient

/// A publisher whose every release is known, and its site.
struct InvariantWorld {
  /// An entry of a bundle in one language.
  struct Entry: Sendable {
    var id: EntryID
    var content: Members
    var from: Instant?
    var until: Instant?
    var ttl: Int?

    /// The entry as a bundle has it.
    var value: Value {
      var members: Members = ["datatype": "test", "content": .dictionary(content)]
      members["from"] = from.map { .date($0) }
      members["until"] = until.map { .date($0) }
      members["ttl"] = ttl.map { .integer(Int64($0)) }
      return .dictionary(members)
    }
  }

  /// The content of a release in one language.
  struct Content: Sendable {
    var bundles: [BundleName: [Entry]] = [:]
    /// The seconds for which entries without a lifetime of their own are shown.
    var lifetimes: [BundleName: Int] = [:]
  }

  /// The contents of a side, by language.
  typealias Contents = [ExactString: Content]

  struct Release: Sendable {
    var number: Int
    var contents: Contents = [:]
    /// The rollout, and the contents of its next side.
    var next: (rollout: Rollout, contents: Contents)?
    /// The objects of both sides, each with the ids that are in it.
    var objects: [SiteObject: Set<EntryID>] = [:]
    /// The objects that readers on the stable side need.
    var stableObjects: Set<SiteObject> = []
    /// The pictures of entries on both sides.
    var pictures: [EntryID: Set<SiteObject>] = [:]
    var config: [UInt8] = []
    var statement: SignedBody?
  }

  struct Purge: Sendable {
    var sequence: Int
    var release: Int
    /// The entries that this purge removed.
    var entries: Set<EntryID>
    var objects: Set<Digest>
    var pictures: Set<Digest>
    var minimumRelease: Int
  }

  /// What a release changes.
  enum Change: Sendable {
    /// The content for all readers; during a rollout, that of its next side.
    case content
    /// Removes some entries.
    case purge(entries: Int)
    /// Withdraws all earlier releases.
    case purgeOfEverything
    /// A rollout begins, reaches more readers, or ends.
    case start, step, finish, abort
  }

  /// The entries of a content, and what they say.
  private struct Form {
    /// The entries that are not published.
    var absent: Set<EntryID> = []
    /// The number of changes of each entry.
    var versions: [EntryID: Int] = [:]
    /// The time from which the dates of entries count.
    var date: Instant
  }

  private let random: SeededRandom
  private(set) var releases: [Release] = []
  private(set) var purges: [Purge] = []
  /// The files that the site serves, by path.
  private(set) var files: [String: [UInt8]] = [:]
  private(set) var config: [UInt8] = []
  /// The newest release that has an object.
  private(set) var lastReleases: [Digest: Int] = [:]
  /// The content for all readers, or on the stable side of the rollout.
  private var stable: Form
  /// The rollout that is on, and the content on its next side.
  private var next: (rollout: Rollout, form: Form)?
  /// The number of changes of each entry on all sides.
  private var versions: [EntryID: Int] = [:]
  private var publisher: TestPublisher?
  /// `true` if each entry has a lifetime.
  private let hasLifetimes: Bool

  static let products = (0..<8).compactMap { EntryID("product/p\($0)") }
  static let items = (0..<3).compactMap { EntryID("item/i\($0)") }
  private static let others = ["screen/home", "promo/spring"].compactMap { EntryID($0) }
  private static var home: EntryID { others[0] }
  private static var promo: EntryID { others[1] }
  static let locales = ["en", "fr"]

  init(random: SeededRandom, publisher: TestPublisher?, at now: Instant) throws {
    (self.random, self.publisher) = (random, publisher)
    hasLifetimes = random.fraction() < 0.5
    stable = Form(date: now)
    try publish(.content, at: now)
  }

  private func number(below end: Int) -> Int { Int(random.fraction() * Double(end)) }

  var newest: Release { releases[releases.count - 1] }

  func release(_ number: Int) -> Release? {
    releases.indices.contains(number - 1) ? releases[number - 1] : nil
  }

  /// The rollout that is on.
  var rollout: Rollout? { next?.rollout }

  /// Returns the content of a side of a release in a language.
  func content(of number: Int, isNext: Bool, in locale: String) -> Content? {
    let release = release(number)
    let contents = isNext ? release?.next?.contents : release?.contents
    return contents?[ExactString(locale)]
  }

  // MARK: Publishing

  /// Publishes a release.
  mutating func publish(_ change: Change, at now: Instant) throws {
    var purged: Set<EntryID> = []
    var (purges, withdraws) = (false, false)
    switch change {
    case .content: edit(at: now)
    case .purge(let count):
      purges = true
      for _ in 0..<count {
        let all = Self.products + Self.items
        purged.insert(all[number(below: all.count)])
      }
      if next == nil { edit(at: now) }
      stable.absent.formUnion(purged)
      next?.form.absent.formUnion(purged)
    case .purgeOfEverything:
      (purges, withdraws) = (true, true)
      if next == nil { edit(at: now) }
    case .start:
      let number = releases.count + 1
      next = (Rollout(name: "r\(number)", below: 0, release: number), stable)
      edit(at: now)
      reachMoreReaders()
    case .step: reachMoreReaders()
    case .finish:
      stable = next?.form ?? stable
      next = nil
    case .abort: next = nil
    }
    try publish(purging: purges ? purged : nil, everything: withdraws, at: now)
  }

  /// Changes the content that is edited: on the next side of a rollout, if one is on.
  private mutating func edit(at now: Instant) {
    var form = next?.form ?? stable
    // What was purged returns at times in another form.
    for id in form.absent.sorted() where random.fraction() < 0.15 { form.absent.remove(id) }
    for id in Self.products + Self.items + Self.others where random.fraction() < 0.4 {
      versions[id, default: 0] += 1
      form.versions[id] = versions[id]
    }
    form.date = now
    if next == nil { stable = form } else { next?.form = form }
  }

  /// Raises the limit of the rollout, at times to all readers.
  private mutating func reachMoreReaders() {
    guard let below = next?.rollout.below else { return }
    let share = random.fraction() < 0.3 ? 1 : random.fraction()
    next?.rollout.below += Int(share * Double(Rollout.everyone - below))
  }

  /// Publishes the contents of both sides.
  private mutating func publish(
    purging purged: Set<EntryID>?, everything: Bool, at now: Instant
  ) throws {
    var release = Release(number: releases.count + 1)
    let indexes: Members
    (release.contents, indexes) = try store(stable, in: &release)
    release.stableObjects = Set(release.objects.keys)
    var nextIndexes: Members?
    if let next {
      let (contents, indexes) = try store(next.form, in: &release)
      release.next = (next.rollout, contents)
      nextIndexes = indexes
    }
    if let purged { try addPurge(of: purged, everything: everything, by: release) }
    let purge = purges.last
    var members: Members = [
      "app": "shop", "channel": "production", "format": 1, "ttl": 600,
      "release": .integer(Int64(release.number)), "sourceLocale": "en",
      "locales": ["en": ["en"], "fr": ["fr"]], "indexes": .dictionary(indexes),
      "maintenance": ["active": false, "retryAfter": 60],
      "purge": [
        "sequence": .integer(Int64(purge?.sequence ?? 0)),
        "minimumRelease": .integer(Int64(purges.map(\.minimumRelease).max() ?? 0)),
        "entries": .array(
          purges.reduce(into: Set()) { $0.formUnion($1.entries) }.sorted()
            .map { .string($0.text) }),
        "objects": .array(
          purges.reduce(into: Set()) { $0.formUnion($1.objects) }
            .subtracting(release.objects.keys.map(\.digest)).sorted().map { .data($0.bytes) }),
      ],
    ]
    if let next, let nextIndexes {
      var others = members
      others["indexes"] = .dictionary(nextIndexes)
      members = members.rollingOut(others, as: next.rollout)
    }
    release.config = try PropertyList.encode(.dictionary(members), as: .binary)
    releases.append(release)
    for object in release.objects.keys { lastReleases[object.digest] = release.number }
    if var signing = publisher {
      signing.config = members
      signing.number(release.number)
      signing.release["issued"] = .string(now.rfc3339)
      releases[releases.count - 1].statement = try signing.statement(.release)
      publisher = signing
    }
    try sign(at: now)
  }

  /// Signs the newest release again, as a publisher does each day.
  mutating func sign(at now: Instant) throws {
    config = newest.config
    guard var signing = publisher else { return }
    signing.fresh["issued"] = .string(now.rfc3339)
    signing.fresh["expires"] = .string(
      Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate + 14 * 86_400).rfc3339)
    config = try signing.envelope(release: newest.statement)
    publisher = signing
  }

  private mutating func addPurge(
    of entries: Set<EntryID>, everything: Bool, by release: Release
  ) throws {
    var (objects, pictures): (Set<Digest>, Set<Digest>) = ([], [])
    for old in releases {
      for (object, ids) in old.objects where everything || !ids.isDisjoint(with: entries) {
        objects.insert(object.digest)
      }
      for (id, files) in old.pictures where everything || entries.contains(id) {
        pictures.formUnion(files.map(\.digest))
      }
    }
    objects.formUnion(pictures)
    objects.subtract(release.objects.keys.map(\.digest))
    purges.append(
      Purge(
        sequence: purges.count + 1, release: release.number, entries: entries, objects: objects,
        pictures: pictures.intersection(objects), minimumRelease: everything ? release.number : 0))
    for ending in ["plist", "png"] {
      for digest in objects { files[SiteObject(digest, ending: ending).path] = nil }
    }
  }

  // MARK: Content

  /// Makes the objects of a content, and returns what they contain and the indexes.
  private mutating func store(
    _ form: Form, in release: inout Release
  ) throws -> (contents: Contents, indexes: Members) {
    var (contents, indexes) = (Contents(), Members())
    for locale in Self.locales {
      let content = content(locale, of: form, in: &release)
      contents[ExactString(locale)] = content
      indexes[locale] = ["any": .data(try index(of: content, in: &release).digest.bytes)]
    }
    return (contents, indexes)
  }

  private mutating func content(
    _ locale: String, of form: Form, in release: inout Release
  ) -> Content {
    func text(_ id: EntryID, _ field: String, _ locale: String) -> Value {
      .string("\(id) \(field) \(locale) \(form.versions[id] ?? 0)")
    }
    func moment(_ hours: Double) -> Instant {
      Instant(
        secondsSinceReferenceDate: (form.date.secondsSinceReferenceDate + hours * 3600).rounded())
    }
    let products = Self.products.filter { !form.absent.contains($0) }
    let items = Self.items.filter { !form.absent.contains($0) }
    let listed = products.map { Value.string($0.text) }
    let cards = (products + items).map { id -> Value in
      ["product": .string(id.text), "text": text(id, "card", locale)]
    }
    let home = Entry(
      id: Self.home,
      content: [
        "title": text(Self.home, "title", locale), "products": .array(listed),
        "cards": .array(cards),
        "sections": [["title": text(Self.home, "section", locale), "products": .array(listed)]],
      ])
    var content = Content()
    var light: [Entry] = []
    var full: [Entry] = []
    for (place, id) in products.enumerated() {
      var entry = Entry(id: id, content: ["title": text(id, "title", locale)])
      // The same dates in both bundles, as a compiler writes them.
      let version = Double(form.versions[id] ?? 0)
      if place % 4 == 1 {
        entry.from = moment(3 * (version.truncatingRemainder(dividingBy: 3) - 1))
      }
      if place % 4 == 2 { entry.until = moment(24 * (version + 1)) }
      if place % 4 == 3 { entry.ttl = 36 * 3600 }
      light.append(entry)
      entry.content["care"] = text(id, "care", locale)
      if place % 2 == 0 {
        entry.content["picture"] = picture(
          of: id, version: (form.versions[id] ?? 0) / 2, in: &release)
      }
      full.append(entry)
    }
    content.bundles["home"] = [home]
    content.bundles["catalog"] = light
    content.bundles["everything"] = full
    content.bundles["promo"] = [
      Entry(id: Self.promo, content: ["title": text(Self.promo, "title", locale)])
    ]
    for id in items {
      guard let name = BundleName(id.text) else { continue }
      content.bundles[name] = [
        Entry(
          id: id, content: ["title": text(id, "title", locale), "related": .array(listed)])
      ]
    }
    for name in content.bundles.keys where hasLifetimes || name != "catalog" {
      content.lifetimes[name] = 20 * 86_400
    }
    return content
  }

  private mutating func picture(
    of id: EntryID, version: Int, in release: inout Release
  ) -> Value {
    let bytes = Array("picture of \(id), version \(version)".utf8)
    let object = SiteObject(Digest(of: bytes), ending: "png")
    release.objects[object, default: []].insert(id)
    release.pictures[id, default: []].insert(object)
    files[object.path] = bytes
    return [
      "type": "image/png",
      "scales": [
        "1": [
          "object": .data(object.digest.bytes), "size": .integer(Int64(bytes.count)),
          "path": .string(object.path),
        ]
      ],
    ]
  }

  private mutating func index(of content: Content, in release: inout Release) throws -> SiteObject {
    var (bundles, startup, parts) = (Members(), Members(), Members())
    var mentioned: Set<EntryID> = []
    var listed: Set<EntryID> = []
    for (name, entries) in content.bundles.sorted(by: { $0.key < $1.key }) {
      let bundle: Value = [
        "format": 1, "bundle": .string(name.text),
        "order": .array(entries.map { .string($0.id.text) }),
        "entries": .dictionary(Members(entries.map { ($0.id.text, $0.value) })),
      ]
      let ids = Set(entries.map(\.id)).union(
        entries.flatMap { Self.ids(in: .dictionary($0.content)) })
      let (object, size) = try store(bundle, mentioning: ids, in: &release)
      var row: Members = [
        "object": .data(object.digest.bytes), "size": .integer(Int64(size)),
        "count": .integer(Int64(entries.count)),
      ]
      row["ttl"] = content.lifetimes[name].map { .integer(Int64($0)) }
      if name.family == nil {
        bundles[name.text] = .dictionary(row)
      } else {
        parts[String(name.text.dropFirst("item/".count))] = .dictionary(row)
        listed.formUnion(ids)
      }
      if name == "home" {
        startup["home"] = bundle
        mentioned = ids
      }
    }
    // A purge changes the hash of a part, so the list names other objects.
    let list = try store(
      ["format": 1, "entries": .dictionary(parts)], mentioning: listed, in: &release)
    bundles["item"] = [
      "list": .data(list.object.digest.bytes), "count": .integer(Int64(parts.count)),
    ]
    return try store(
      ["format": 1, "bundles": .dictionary(bundles), "startup": .dictionary(startup)],
      mentioning: mentioned, in: &release
    ).object
  }

  private mutating func store(
    _ value: Value, mentioning ids: Set<EntryID>, in release: inout Release
  ) throws -> (object: SiteObject, size: Int) {
    let bytes = try PropertyList.encode(value, as: .binary)
    let object = SiteObject(Digest(of: bytes), ending: "plist")
    files[object.path] = bytes
    release.objects[object, default: []].formUnion(ids)
    return (object, bytes.count)
  }

  /// Returns the ids that are texts in a value.
  static func ids(in value: Value) -> Set<EntryID> {
    switch value {
    case .string(let text): Set([EntryID(text)].compactMap(\.self))
    case .array(let items): items.reduce(into: []) { $0.formUnion(ids(in: $1)) }
    case .dictionary(let members): members.reduce(into: []) { $0.formUnion(ids(in: $1.value)) }
    default: []
    }
  }
}
