import ContentModel
import PropertyLists
import SiteFormat

/// The knowledge of a client between two starts, in one file.
struct StoredState: Sendable {
  /// The content that is shown, or was.
  struct Shown: Sendable {
    var config: [UInt8]
    var release: Int
    /// The generation in which it was shown first.
    var generation: Int
    var reader: ReaderContext
    /// `true` for the next side of the config's rollout.
    var isNext = false

    /// The config of the shown side; `nil` if it cannot be read.
    var siteConfig: SiteConfig? {
      (try? SiteConfig(config)).flatMap { isNext ? $0.nextSide : $0 }
    }

    /// Returns whether this has the same indexes as other content, whatever their numbers and sides
    /// are.
    func hasSameIndexes(as other: Shown?) -> Bool {
      guard let other else { return false }
      if config == other.config, isNext == other.isNext { return true }
      guard let own = siteConfig, let others = other.siteConfig else {
        return release == other.release
      }
      return own.content.indexes == others.content.indexes
    }

    /// Returns whether this is of a later generation, or in the same one, of a later release.
    func isNewer(than other: Shown?) -> Bool {
      guard let other else { return true }
      return (other.generation, other.release) < (generation, release)
    }

    /// Returns whether this is the same content for the same reader, accepted in the same
    /// generation.
    func isSame(as other: Shown?) -> Bool {
      config == other?.config && isNext == other?.isNext && reader == other?.reader
        && generation == other?.generation
    }
  }

  /// Entries that a purge hides in releases below the one that brought it.
  struct Hidden: Hashable, Sendable {
    var entry: EntryID
    var below: Int
  }

  /// An object that a purge removed, not shown in releases below the one that brought the purge.
  struct Removed: Hashable, Sendable {
    var digest: Digest
    var below: Int
  }

  /// The starts with the shown content, which may crash the app.
  struct Trial: Hashable, Sendable {
    /// The number of the shown release.
    ///
    /// The trial goes on if the same content gets a new number.
    var release: Int
    /// The number of starts in which the app read the release.
    var starts: Int
  }

  /// Content that ended two starts.
  struct Avoided: Hashable, Sendable {
    /// The number of the newest release with the content.
    var release: Int
    /// The content under any number; `nil` if a later release was shown since, or an earlier version
    /// stored the number alone.
    var content: SiteConfig.Content?
  }

  /// A program that uses the storage, as its last process did.
  struct User: Sendable {
    /// The path of the program.
    var program: String
    var reader: ReaderContext
    /// The time of its last use, to the hour.
    var seen: Moment
  }

  var url: String
  var app: String
  var channel: String
  /// `true` until the first config from another address than the one before is accepted: its
  /// release may have any number, since it may be of another site.
  var hasMoved = false
  /// The trusted keys, and the floors of signed releases; `nil` for content without signatures.
  private(set) var trust: TrustMemory?
  /// The newest acceptable config, whose objects may still be missing.
  var config: [UInt8]?
  /// The `ETag` of that config.
  var entityTag: String?
  var shown: Shown?
  var previous: Shown?
  /// The number that rises when earlier floors become void.
  ///
  /// Without keys, it counts the times that a lower release was accepted; with keys, it is the
  /// version of the last recovery's key document.
  var generation = 0
  /// The time of the last check that a server answered with a config or 304.
  var lastCheck: Moment?
  /// The highest release that was seen.
  var highestRelease = 0
  var purgeSequence = 0
  /// The number of the purge in the last config, which is lower than `purgeSequence` if that config
  /// took a purge back.
  var lastPurge = 0
  var minimumRelease = 0
  /// The `minimumRelease` with which this generation began: that of another site, or of a backup.
  var inheritedMinimum = 0
  /// The number of the last purge whose objects were removed from the storage.
  var sweptSequence = 0
  /// When the first purge arrived whose objects are not all removed yet; `nil` if they are.
  var unsweptSince: Moment?
  /// `true` after a recovery: the purge of the next config counts as a new one.
  var awaitsPurge = false
  var hidden: [Hidden] = []
  var removed: [Removed] = []
  /// No request before this moment: a server asked for it.
  var retryAfter: Moment?
  /// When config was requested for later statements, since those of the stored one end soon.
  var renewal: Moment?
  /// The waiting after failed checks.
  var backoff = Backoff()
  /// When checks began to answer a lower release; `nil` after any other answer.
  var lowerSince: Moment?
  /// The baked config that was above a lower release when that counted; it is not shown any more.
  var voidBaked: Digest?
  var trial: Trial?
  /// The content that ended two starts; it is not shown.
  var avoided: Avoided?
  /// The name of the rollout that this reader left, since its next content ended two starts.
  var leftRollout: String?
  /// The number of the switch that made `shown`, and the name of this storage's count.
  var token = ChangeToken(storage: "", number: 0)
  /// The programs that use the storage, each once, sorted.
  var users: [User] = []

  init(url: String, app: String, channel: String) {
    (self.url, self.app, self.channel) = (url, app, channel)
  }

  /// Returns whether the state is of the same app and channel, with the same publisher's signatures.
  ///
  /// The address may be another one: an update of the app may name another host of the channel.
  func belongs(to other: StoredState) -> Bool {
    guard app.hasSameBytes(as: other.app), channel.hasSameBytes(as: other.channel) else {
      return false
    }
    guard let trust, let others = other.trust else { return trust == nil && other.trust == nil }
    return trust.hasSamePublisher(as: others)
  }

  /// Takes over another address of the site: what is stored stays, until the first config from
  /// there is accepted.
  mutating func move(to address: String) {
    guard !url.hasSameBytes(as: address) else { return }
    url = address
    // These are facts about a server.
    (entityTag, retryAfter, backoff, renewal) = (nil, nil, Backoff(), nil)
    // Signatures prove that the site is the same.
    hasMoved = trust == nil
  }

  /// Replaces the trusted keys and floors; a recovery sets the floors.
  mutating func adopt(_ new: TrustMemory?) {
    let known = trust?.recovery?.version ?? 0
    trust = new
    if let floors = new?.recovery, floors.version > known { recover(to: floors) }
  }
}

// MARK: Sides and avoided content

extension StoredState {
  /// Returns the side of a config for a reader with a unit.
  ///
  /// A reader without a unit, and one that left the rollout, gets the stable side.
  func side(of config: SiteConfig, for unit: String?) -> SiteConfig {
    guard let unit, let rollout = config.rollout, !leftRollout.hasSameBytes(as: rollout.name),
      rollout.includes(unit), let next = config.nextSide, !avoids(next)
    else { return config }
    return next
  }

  /// Returns whether a config has the content that ended two starts.
  func avoids(_ config: SiteConfig) -> Bool {
    guard let avoided else { return false }
    return avoided.content.map { $0 == config.content } ?? (avoided.release == config.release)
  }

  /// Returns whether content is that which ended two starts.
  func avoids(_ shown: Shown) -> Bool {
    guard let avoided else { return false }
    return shown.siteConfig.map(avoids) ?? (avoided.release == shown.release)
  }

  /// `true` if the newest config has the avoided content on the stable side.
  ///
  /// On the next side, a reader who avoids the content has left, and gets the stable side.
  var avoidsNewest: Bool {
    avoided.map { $0.release == highestRelease && $0.content?.isNext != true } ?? false
  }

  /// Notes the number of an accepted config if it has the avoided content.
  mutating func noteAccepted(_ config: SiteConfig) {
    guard let avoided, avoids(config) else { return }
    self.avoided?.release = max(avoided.release, config.release)
  }

  /// Returns whether a config has the shown content, and that is on trial.
  func isOnTrial(_ config: SiteConfig) -> Bool {
    trial != nil && shown?.siteConfig?.content.indexes == config.content.indexes
  }
}

// MARK: The file

extension StoredState {
  /// The `format` of the file.
  static let version = 1

  /// The state as a property list.
  var value: Value {
    var members: Members = [
      "format": .integer(Int64(Self.version)), "url": .string(url), "app": .string(app),
      "channel": .string(channel), "highestRelease": .integer(Int64(highestRelease)),
      "generation": .integer(Int64(generation)),
      "purgeSequence": .integer(Int64(purgeSequence)), "lastPurge": .integer(Int64(lastPurge)),
      "minimumRelease": .integer(Int64(minimumRelease)),
      "sweptSequence": .integer(Int64(sweptSequence)),
      "token": ["storage": .string(token.storage.text), "number": .integer(Int64(token.number))],
    ]
    members["inheritedMinimum"] = inheritedMinimum > 0 ? .integer(Int64(inheritedMinimum)) : nil
    members["trust"] = trust.flatMap { try? $0.stored() }
    members["awaitsPurge"] = awaitsPurge ? true : nil
    members["hasMoved"] = hasMoved ? true : nil
    members["unsweptSince"] = unsweptSince?.value
    members["renewal"] = renewal?.value
    members["config"] = config.map { .data($0) }
    members["entityTag"] = entityTag.map { .string($0) }
    members["shown"] = shown?.value
    members["previous"] = previous?.value
    // The key keeps its former name, under which older versions stored the time of the last check.
    members["look"] = lastCheck?.value
    members["retryAfter"] = retryAfter?.value
    members["backoff"] = backoff.value
    members["lowerSince"] = lowerSince?.value
    members["voidBaked"] = voidBaked.map { .data($0.bytes) }
    members["users"] = .array(users.map(\.value))
    members["avoided"] = avoided.map { .integer(Int64($0.release)) }
    members["avoidedContent"] = avoided?.content.map {
      ["next": .boolean($0.isNext), "indexes": .data($0.indexes.bytes)]
    }
    members["leftRollout"] = leftRollout.map { .string($0) }
    members["trial"] = trial.map {
      ["release": .integer(Int64($0.release)), "starts": .integer(Int64($0.starts))]
    }
    members["hidden"] = .array(
      hidden.map { ["entry": .string($0.entry.text), "below": .integer(Int64($0.below))] })
    members["removed"] = .array(
      removed.map { ["object": .data($0.digest.bytes), "below": .integer(Int64($0.below))] })
    return .dictionary(members)
  }

  /// Reads a state; `nil` for another value.
  init?(_ value: Value) {
    guard value["format"]?.number == Self.version, let url = value["url"]?.text,
      let app = value["app"]?.text, let channel = value["channel"]?.text
    else { return nil }
    self.init(url: url, app: app, channel: channel)
    if let stored = value["trust"] {
      guard let trust = TrustMemory(stored: stored) else { return nil }
      self.trust = trust
    }
    awaitsPurge = value["awaitsPurge"]?.flag ?? false
    hasMoved = value["hasMoved"]?.flag ?? false
    unsweptSince = value["unsweptSince"].flatMap { Moment($0) }
    renewal = value["renewal"].flatMap { Moment($0) }
    config = value["config"]?.bytes
    entityTag = value["entityTag"]?.text
    shown = value["shown"].flatMap(Shown.init)
    previous = value["previous"].flatMap(Shown.init)
    lastCheck = value["look"].flatMap { Moment($0) }
    // A damaged state can have any numbers, with which the client calculates.
    func floor(_ key: String) -> Int { SiteConfig.serial(value[key]) ?? 0 }
    (highestRelease, generation) = (floor("highestRelease"), floor("generation"))
    (purgeSequence, lastPurge) = (floor("purgeSequence"), floor("lastPurge"))
    (minimumRelease, sweptSequence) = (floor("minimumRelease"), floor("sweptSequence"))
    inheritedMinimum = floor("inheritedMinimum")
    retryAfter = value["retryAfter"].flatMap { Moment($0) }
    backoff = value["backoff"].map { Backoff($0) } ?? Backoff()
    lowerSince = value["lowerSince"].flatMap { Moment($0) }
    voidBaked = value["voidBaked"]?.digest
    users = (value["users"]?.items ?? []).compactMap { User($0) }
    avoided = SiteConfig.serial(value["avoided"]).map { release in
      Avoided(release: release, content: avoidedContent(in: value, of: release))
    }
    leftRollout = value["leftRollout"]?.text
    if let trial = value["trial"], let release = SiteConfig.serial(trial["release"]),
      let starts = trial["starts"]?.number
    {
      self.trial = Trial(release: release, starts: min(max(0, starts), 1_000))
    }
    hidden = (value["hidden"]?.items ?? []).compactMap { row in
      guard let entry = row["entry"]?.text.flatMap({ EntryID($0) }),
        let below = SiteConfig.serial(row["below"])
      else { return nil }
      return Hidden(entry: entry, below: below)
    }
    removed = (value["removed"]?.items ?? []).compactMap { row in
      guard let digest = row["object"]?.digest, let below = SiteConfig.serial(row["below"]) else {
        return nil
      }
      return Removed(digest: digest, below: below)
    }
    token = ChangeToken(
      storage: ExactString(value["token"]?["storage"]?.text ?? ""),
      number: SiteConfig.serial(value["token"]?["number"]) ?? 0)
  }
}

extension StoredState {
  /// Reads the avoided content; an earlier version stored only the number of its release.
  private func avoidedContent(in value: Value, of release: Int) -> SiteConfig.Content? {
    if let content = value["avoidedContent"], let indexes = content["indexes"]?.digest {
      return SiteConfig.Content(isNext: content["next"]?.flag ?? false, indexes: indexes)
    }
    let config = config.flatMap { try? SiteConfig($0) }
    return config?.release == release ? config?.content : nil
  }
}

extension StoredState.Shown {
  var value: Value {
    var members: Members = [
      "config": .data(config), "release": .integer(Int64(release)),
      "generation": .integer(Int64(generation)),
    ]
    members["next"] = isNext ? true : nil
    reader.add(to: &members)
    return .dictionary(members)
  }

  init?(_ value: Value) {
    guard let config = value["config"]?.bytes, let release = SiteConfig.serial(value["release"]),
      let reader = ReaderContext(stored: value)
    else { return nil }
    self.config = config
    self.release = release
    self.reader = reader
    isNext = value["next"]?.flag ?? false
    generation = SiteConfig.serial(value["generation"]) ?? 0
  }
}

extension StoredState.User {
  var value: Value {
    var members: Members = ["program": .string(program), "seen": seen.value]
    reader.add(to: &members)
    return .dictionary(members)
  }

  init?(_ value: Value) {
    guard let program = value["program"]?.text, let reader = ReaderContext(stored: value),
      let seen = value["seen"].flatMap({ Moment($0) })
    else { return nil }
    (self.program, self.reader, self.seen) = (program, reader, seen)
  }
}

extension ReaderContext {
  fileprivate func add(to members: inout Members) {
    members["locales"] = .array(locales.map { .string($0) })
    members["device"] = .string(device)
    members["country"] = country.map { .string($0) }
    members["appVersion"] = appVersion.map { .string($0.description) }
  }

  fileprivate init?(stored value: Value) {
    guard let device = value["device"]?.text else { return nil }
    self.init(
      locales: (value["locales"]?.items ?? []).compactMap(\.text), device: device,
      country: value["country"]?.text,
      appVersion: value["appVersion"]?.text.flatMap { AppVersion($0) })
  }
}

extension Moment {
  var value: Value {
    ["now": .date(now), "boot": .string(uptime.boot), "uptime": .real(uptime.seconds)]
  }

  init?(_ value: Value) {
    guard let now = value["now"]?.instant, let boot = value["boot"]?.text,
      case .real(let seconds)? = value["uptime"], seconds.isFinite
    else { return nil }
    self.init(now: now, uptime: Uptime(boot: boot, seconds: seconds))
  }
}

extension Value {
  /// The bytes of data; `nil` for another value.
  var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
}
