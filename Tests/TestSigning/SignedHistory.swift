import ContentModel
package import ContentTrust
import TestInputs

/// A publisher who goes on publishing, and an attacker who controls the network, and sometimes has
/// the release keys: the configs that a reader gets, in a random order that a seed repeats.
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
  private var archive: [[UInt8]] = []
  /// The step that was made last.
  package private(set) var step = ""

  package init(of publisher: TestPublisher, seed: UInt64) {
    self.publisher = publisher
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
    try recover()
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
    case 5 where version < 20:
      step = "rotation to \(version + 1)"
      try rotate()
    case 6 where stolen == nil:
      step = "theft"
      stolen = publisher
    case 7 where version < 20 && stolen != nil:
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
      step = "replay"
      return old
    case 13...16:
      let attacks = try SignedAttack.all(on: publisher)
      guard let attack = attacks.randomElement(using: &generator),
        let answer = attack.answers.randomElement(using: &generator), isOfThief(answer.config)
      else { break }
      step = "attack \(attack.name)"
      return answer.config
    default: step = "honest"
    }
    return try publisher.envelope()
  }

  /// Returns whether a config needs no stolen key that signs key documents: there is no recovery
  /// from such a theft but an update of the app.
  private func isOfThief(_ config: [UInt8]) -> Bool {
    guard let envelope = try? Envelope(config) else { return true }
    return envelope.documents == publisher.documents
  }

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
