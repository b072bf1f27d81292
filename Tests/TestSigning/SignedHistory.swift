import ContentModel
package import SiteFormat
import TestInputs

/// A publisher who goes on publishing, and an attacker who controls the network, and sometimes has
/// the release keys, or those of key documents: the configs that a reader gets, in a random order
/// that a seed repeats.
package struct SignedHistory {
  private var publisher: TestPublisher
  private var generator: SeededGenerator
  private var release = 5
  private var version = 1
  private var minutes = 0.0
  /// The number of the next key.
  private var key = 100
  /// The publisher whose keys were stolen.
  private var stolen: TestPublisher?
  /// The highest release that the thief signed.
  private var highestStolen = 0
  /// The highest version of the key documents that a thief made; `nil` since the last update of the
  /// app.
  private var forged: Int?
  private var archive: [[UInt8]] = []
  /// The key document that the newest app pins: only an update recovers from a thief's documents.
  package private(set) var pinned: SignedBody
  /// The step that was made last.
  package private(set) var step = ""

  package init(of publisher: TestPublisher, seed: UInt64) throws {
    self.publisher = publisher
    pinned = try publisher.keyDocument()
    generator = SeededGenerator(seed: seed)
  }

  /// Returns the next config.
  package mutating func next() throws -> [UInt8] {
    let bytes = try config()
    archive.append(bytes)
    return bytes
  }

  /// Returns the publisher's newest config, after all that was stolen is replaced.
  package mutating func recovered() throws -> (bytes: [UInt8], release: Int) {
    if forged == nil { try recover() } else { try updateApp() }
    step = "recovered"
    return (try publisher.envelope(), release)
  }

  private mutating func config() throws -> [UInt8] {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...2:
      step = "release \(release + 1)"
      publish()
    case 3...4:
      step = "signed again"
      sign()
    case 5 where canRotate:
      step = "rotation to \(version + 1)"
      try rotate()
    case 6 where stolen == nil:
      step = "theft"
      stolen = publisher
    case 7 where canRotate && stolen != nil:
      try recover()
      step = "recovery by document \(version)"
    case 8...9:
      guard var thief = stolen else { return try publisher.envelope() }
      highestStolen = max(highestStolen, release) + Int.random(in: 1...50, using: &generator)
      step = "release \(highestStolen) by the thief"
      thief.documents = publisher.documents
      for members in [\TestPublisher.release, \.fresh] {
        thief[keyPath: members]["keys"] = publisher.release["keys"]
      }
      thief.number(highestStolen)
      return try thief.envelope()
    case 10...12:
      guard let old = archive.randomElement(using: &generator) else { break }
      guard Bool.random(using: &generator), let envelope = try? Envelope(old) else {
        step = "replay"
        return old
      }
      step = "replay with the newest key documents"
      return try Envelope(
        config: envelope.config, release: envelope.release, fresh: envelope.fresh,
        documents: publisher.documents
      ).encoded(as: publisher.format)
    case 13...16:
      let attack = try SignedAttack.random(on: publisher, using: &generator)
      guard let answer = attack.answers.randomElement(using: &generator) else { break }
      step = "attack \(attack.name)"
      noteForgedDocuments(in: answer.config)
      return answer.config
    case 17...18 where forged != nil:
      try updateApp()
      step = "update of the app, which pins document \(version)"
    default: step = "honest"
    }
    return try publisher.envelope()
  }

  /// Remembers the versions of key documents that are not the publisher's: a reader may trust them.
  private mutating func noteForgedDocuments(in config: [UInt8]) {
    guard let envelope = try? Envelope(config) else { return }
    for document in envelope.documents where !publisher.documents.contains(document) {
      guard let version = try? KeyDocument(document).version else { continue }
      forged = max(forged ?? 0, version)
    }
  }

  /// `true` while a config has room for further key documents.
  private var canRotate: Bool { publisher.documents.count < 20 }

  private mutating func publish() {
    release += 1
    publisher.number(release)
    sign()
  }

  /// Signs the newest statements a minute later.
  private mutating func sign() {
    minutes += 1
    let day = 1_440.0
    publisher.release["issued"] = publisher.time(days: minutes / day)
    publisher.fresh["issued"] = publisher.time(days: minutes / day)
    publisher.fresh["expires"] = publisher.time(days: 14 + minutes / day)
  }

  private mutating func rotate(recovery: (release: Int64, purge: Int64)? = nil) throws {
    version += 1
    key += 1
    let new = try TestKey(key)
    try publisher.rotate(to: version, recovery: recovery) { authority in
      if recovery != nil { (authority.release, authority.fresh) = ([new], [new]) }
      authority.keys = [new]
    }
    sign()
  }

  private mutating func recover() throws {
    publish()
    try rotate(recovery: (release: Int64(release), purge: 0))
    (stolen, highestStolen) = (nil, 0)
  }
}

extension SignedHistory {
  /// Begins with new keys and a key document above all that a thief made, which the next version of
  /// the app pins.
  private mutating func updateApp() throws {
    version = max(version, forged ?? 0)
    publisher.documents = []
    try recover()
    (pinned, forged) = (publisher.documents[0], nil)
  }
}

extension TrustMemory {
  /// Returns whether this follows an earlier memory: no floor fell but by a recovery.
  package func follows(_ earlier: TrustMemory) -> Bool {
    let versions = (recovery?.version ?? 0, earlier.recovery?.version ?? 0)
    guard document.version >= earlier.document.version, versions.0 >= versions.1 else {
      return false
    }
    return versions.0 > versions.1 || release >= earlier.release
  }
}
