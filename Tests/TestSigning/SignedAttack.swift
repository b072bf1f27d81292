import ContentModel
import PropertyLists
package import SiteFormat
import Testing

/// A row of the attacks in docs/reference/trust.md: the configs that a reader gets, in this order.
package struct SignedAttack: Sendable, CustomTestStringConvertible {
  /// An answer, and what a reader makes of it.
  package struct Answer: Sendable {
    package var config: [UInt8]
    /// Words of the reason for which it is refused; `nil` for an accepted one.
    package var refusal: String?
    /// The release inside.
    package var release: Int
  }

  /// The number of the row, and what distinguishes it from others of this number.
  package let name: String
  /// The key document that the reader pins.
  package let pinned: SignedBody
  package private(set) var answers: [Answer] = []

  package var testDescription: String { name }

  private init(_ name: String, on publisher: TestPublisher) throws {
    self.name = name
    pinned = try publisher.keyDocument()
  }

  mutating func accept(_ publisher: TestPublisher, _ bytes: [UInt8]? = nil) throws {
    answers.append(
      Answer(
        config: try bytes ?? publisher.envelope(), refusal: nil,
        release: publisher.config["release"]?.number ?? 0))
  }

  mutating func refuse(
    _ publisher: TestPublisher, _ bytes: [UInt8]? = nil, because words: String
  ) throws {
    try accept(publisher, bytes)
    answers[answers.count - 1].refusal = words
  }

  /// Returns the attacks on readers of a publisher's config.
  package static func all(on publisher: TestPublisher) throws -> [SignedAttack] {
    try attacks(on: publisher) { _ in true }
  }

  /// Returns one of the attacks, without the time that it takes to sign the others.
  package static func random(
    on publisher: TestPublisher, using generator: inout some RandomNumberGenerator
  ) throws -> SignedAttack {
    var count = 0
    _ = try attacks(on: publisher) { _ in
      count += 1
      return false
    }
    let chosen = Int.random(in: 0..<count, using: &generator)
    return try attacks(on: publisher) { $0 == chosen }[0]
  }

  private static func attacks(
    on publisher: TestPublisher, where isWanted: (Int) -> Bool
  ) throws -> [SignedAttack] {
    var (attacks, number) = ([SignedAttack](), 0)
    /// `change` makes the attack from what the publisher signs.
    func add(
      _ name: String, _ change: (inout SignedAttack, inout TestPublisher) throws -> Void
    ) throws {
      defer { number += 1 }
      guard isWanted(number) else { return }
      var (attack, copy) = (try SignedAttack(name, on: publisher), publisher)
      try change(&attack, &copy)
      attacks.append(attack)
    }
    try addSignatures(add)
    try addStatements(add)
    try addForms(add)
    try addDocuments(add)
    try addRecoveries(add)
    return attacks
  }

  typealias Adding = (
    _ name: String, _ change: (inout SignedAttack, inout TestPublisher) throws -> Void
  ) throws -> Void

  // MARK: 16 to 18, 21, 23, 30, 33, 34

  private static func addStatements(_ add: Adding) throws {
    try add("16: an older release") { attack, publisher in
      let older = publisher
      try attack.accept(publisher)
      publisher.number(6)
      try attack.accept(publisher)
      try attack.refuse(older, because: "release 5 is older than release 6")
    }
    try add("17: another config of the same release") { attack, publisher in
      try attack.accept(publisher)
      publisher.config["ttl"] = 61
      try attack.refuse(publisher, because: "another config of release 5 was accepted before")
    }
    try add("18: a statement about another release than the config's") { attack, publisher in
      publisher.release["release"] = 6
      publisher.fresh["release"] = 6
      try attack.refuse(publisher, because: "'release' is of another config")
    }
    try add("21: an older statement 'fresh' about the same release") { attack, publisher in
      let older = publisher
      publisher.fresh["issued"] = publisher.time(days: 0.5)
      publisher.fresh["expires"] = publisher.time(days: 14.5)
      try attack.accept(publisher)
      try attack.accept(older)
    }
    try add("23: an expired statement 'fresh'") { attack, publisher in
      try attack.accept(publisher)
      publisher.number(6)
      publisher.fresh["issued"] = publisher.time(days: -5)
      publisher.fresh["expires"] = publisher.time(days: -1)
      try attack.refuse(publisher, because: "the statement 'fresh' has ended at")
    }
    for (key, value) in [("config", Value.string(String(repeating: "00", count: 32))), ("size", 1)]
    {
      try add("30: another \(key) in the statement") { attack, publisher in
        publisher.release[key] = value
        try attack.refuse(publisher, because: "is of another config")
      }
    }
    for (number, key) in [(33, "channel"), (34, "app")] {
      for (part, members) in [
        ("release", \TestPublisher.release), ("fresh", \.fresh), ("the config", \.config),
      ] {
        try add("\(number): \(part) of another \(key)") { attack, publisher in
          publisher[keyPath: members][key] = "other"
          try attack.refuse(publisher, because: "is of another app or channel")
        }
      }
    }
  }

  // MARK: 14, 45, 52

  private static func addForms(_ add: Adding) throws {
    for type in [SignedType.release, .fresh] {
      try add("14: duplicate keys in \(type)") { attack, publisher in
        let text = String(decoding: try publisher.body(of: type), as: UTF8.self)
        for body in ["{\"app\":\"shop\",\(text.dropFirst())", text + " x", text + "{}"] {
          let bytes = Array(body.utf8)
          let keys =
            type == .release ? publisher.authority.release : publisher.authority.fresh
          let statement = SignedBody(
            body: bytes, signatures: try keys.map { try $0.signature(of: bytes, as: type) })
          try attack.refuse(
            publisher, publisher.envelope(statement, as: type), because: "cannot be read")
        }
      }
    }
    for format in [PropertyListFormat.xml, .json] {
      try add("14: duplicate keys in the signed config, as \(format)") { attack, publisher in
        publisher.format = format
        let text = String(decoding: try publisher.envelope(), as: UTF8.self)
        for (key, value) in [("format", "2"), ("body", "{}")] {
          let forged = text.doubling(key, value, in: format)
          try #require(forged != text)
          try attack.refuse(publisher, Array(forged.utf8), because: unreadable)
        }
      }
    }
    try add("14: duplicate keys in a key document") { attack, publisher in
      let signers = publisher.authority.keys
      try publisher.rotate(to: 2)
      let honest = publisher
      let text = String(decoding: try publisher.documentBody(), as: UTF8.self)
      for (key, value) in [("app", "shop"), ("threshold", "1")] {
        let forged = text.doubling(key, value, in: .json)
        try #require(forged != text)
        let body = Array(forged.utf8)
        publisher.documents[publisher.documents.count - 1] = SignedBody(
          body: body, signatures: try signers.map { try $0.signature(of: body, as: .keys) })
        try attack.refuse(publisher, because: "a key document cannot be read")
      }
      try attack.accept(honest)
    }
    try add("14: bytes after the config") { attack, publisher in
      try attack.refuse(publisher, publisher.envelope() + Array("<x/>".utf8), because: unreadable)
    }
    try add("45: more than 64 kB") { attack, publisher in
      publisher.config["padding"] = .string(String(repeating: "x", count: 64 << 10))
      // Some readers give up while they receive it.
      try attack.refuse(publisher, because: " than ")
    }
    try add("56: a release above 2^53") { attack, publisher in
      publisher.number((1 << 53) + 1)
      try attack.refuse(publisher, because: "the statement 'release' cannot be read")
    }
    try add("56: a config that withdraws its own release") { attack, publisher in
      publisher.config["purge"] = ["minimumRelease": 6]
      try attack.refuse(publisher, because: "the config withdraws its own release 5")
    }
    try add("56: OpenStep inside") { attack, publisher in
      let config = try PropertyList.encode(.dictionary(publisher.config), as: .openstep)
      try attack.refuse(
        publisher, publisher.envelope(of: config), because: "the config inside cannot be read")
    }
    try add("56: a number as text") { attack, publisher in
      publisher.config["release"] = "5"
      try attack.refuse(publisher, because: "'release' is of another config")
    }
    try add("52: a config that is cut") { attack, publisher in
      let bytes = try publisher.envelope()
      for count in stride(from: 0, to: bytes.count, by: bytes.count / 13) {
        try attack.refuse(publisher, Array(bytes.prefix(count)), because: unreadable)
      }
      try attack.accept(publisher)
    }
  }

  /// The words for an answer that is no config: a reader takes it for a captive portal.
  package static let unreadable = "no config"

  // MARK: 36 to 44

  private static func addDocuments(_ add: Adding) throws {
    for signer in [1, 4] {
      try add("36: document 2, signed by key \(signer) only") { attack, publisher in
        try publisher.rotate(to: 2) { $0.keys = [try TestKey(4)] }
        publisher.documents = [try publisher.keyDocument(signedBy: [try TestKey(signer)])]
        try attack.refuse(publisher, because: "key document 2 has 0 of 1 valid signatures")
      }
    }
    try add("37: document 3 without document 2") { attack, publisher in
      for version in 2...3 { try publisher.rotate(to: version) }
      publisher.documents.removeFirst()
      try attack.refuse(publisher, because: "key document 3 does not follow")
    }
    try add("38: the trusted version with another text") { attack, publisher in
      try publisher.rotate(to: 2)
      try attack.accept(publisher)
      publisher.documents.removeLast()
      try publisher.rotate(to: 2) { $0.release.append(try TestKey(4)) }
      try attack.refuse(publisher, because: "key document 2 is not the trusted one")
    }
    try add("39: an expired document in the middle") { attack, publisher in
      let expires = publisher.document["expires"]
      publisher.document["expires"] = publisher.time(days: -1)
      try publisher.rotate(to: 2)
      publisher.document["expires"] = expires
      try publisher.rotate(to: 3)
      try attack.accept(publisher)
    }
    try add("40: the last document has expired") { attack, publisher in
      try attack.accept(publisher)
      publisher.document["expires"] = publisher.time(days: -1)
      try publisher.rotate(to: 2)
      publisher.number(6)
      try attack.refuse(publisher, because: "key document 2 has ended at")
    }
    try add("41: 33 documents") { attack, publisher in
      for version in 2...34 { try publisher.rotate(to: version) }
      try attack.refuse(publisher, because: "it has more than 32 key documents")
      // A reader that pins a later one gets the newest 32.
      publisher.documents.removeFirst()
      try attack.refuse(publisher, because: "key document 3 does not follow")
    }
    try add("42: a removed key") { attack, publisher in
      let stolen = publisher.authority.release
      try publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
      try attack.accept(publisher)
      publisher.authority.release = stolen
      publisher.number(6)
      try attack.refuse(publisher, because: "'release' has 0 of 1 valid signatures")
    }
    for (key, value) in [("app", Value.string("other")), ("channels", ["other"])] {
      try add("43: a document of another \(key)") { attack, publisher in
        let own = publisher.document[key]
        publisher.document[key] = value
        try publisher.rotate(to: 2)
        publisher.document[key] = own
        try attack.refuse(publisher, because: "key document 2 is of another app or channel")
      }
    }
    try add("44: withheld documents") { attack, publisher in
      try publisher.rotate(to: 2)
      publisher.documents = []
      try attack.refuse(publisher, because: "it names key document 2, which is missing")
    }
  }

  // MARK: 19

  private static func addRecoveries(_ add: Adding) throws {
    try add("19: the highest number by a stolen key, and the recovery") { attack, publisher in
      try attack.accept(publisher)
      let honest = publisher
      publisher.number(Int(1) << 53)
      try attack.accept(publisher)
      publisher = honest
      publisher.number(6)
      try attack.refuse(publisher, because: "release 6 is older than release \(Int(1) << 53)")
      try publisher.rotate(to: 2, recovery: (release: 6, purge: 0)) {
        $0.release = [try TestKey(4)]
      }
      try attack.accept(publisher)
      try attack.refuse(honest, because: "valid signatures")
      // A later document repeats the recovery, and opens no window for old releases.
      publisher.number(7)
      try publisher.rotate(to: 3)
      try attack.accept(publisher)
      publisher.number(6)
      try attack.refuse(publisher, because: "release 6 is older than release 7")
    }
    try add("19: a release from before a recovery that keeps its key") { attack, publisher in
      var old = publisher
      publisher.number(9)
      try attack.accept(publisher)
      try publisher.rotate(to: 2, recovery: (release: 5, purge: 0))
      old.documents = publisher.documents
      try attack.refuse(old, because: "from before the recovery by document 2")
      publisher.number(6)
      try attack.accept(publisher)
    }
  }
}

extension String {
  /// Returns a property list in which the first key of this name occurs twice.
  fileprivate func doubling(_ key: String, _ value: String, in format: PropertyListFormat) -> String
  {
    let isNumber = Int(value) != nil
    guard format == .xml else {
      let first = isNumber ? value : "\"\(value)\""
      return replacing("\"\(key)\":", with: "\"\(key)\":\(first),\"\(key)\":", maxReplacements: 1)
    }
    let type = isNumber ? "integer" : "string"
    let tag = "<key>\(key)</key>"
    return replacing(tag, with: "\(tag)<\(type)>\(value)</\(type)>\(tag)", maxReplacements: 1)
  }
}

extension TestPublisher {
  /// Returns the signed config with another statement of a type.
  func envelope(_ statement: SignedBody, as type: SignedType) throws -> [UInt8] {
    try type == .release ? envelope(release: statement) : envelope(fresh: statement)
  }
}
