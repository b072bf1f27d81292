import ContentModel
package import ContentTrust
import Hashing
import PropertyLists
import Testing

/// A row of the attacks in docs/trust.md: the configs that a reader gets, in this order.
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

  private mutating func accept(_ publisher: TestPublisher, _ bytes: [UInt8]? = nil) throws {
    answers.append(
      Answer(
        config: try bytes ?? publisher.envelope(), refusal: nil,
        release: publisher.config["release"]?.number ?? 0))
  }

  private mutating func refuse(
    _ publisher: TestPublisher, _ bytes: [UInt8]? = nil, because words: String
  ) throws {
    try accept(publisher, bytes)
    answers[answers.count - 1].refusal = words
  }

  /// Returns the attacks on readers of a publisher's config.
  package static func all(on publisher: TestPublisher) throws -> [SignedAttack] {
    var attacks: [SignedAttack] = []
    /// `change` makes the attack from what the publisher signs.
    func add(
      _ name: String, _ change: (inout SignedAttack, inout TestPublisher) throws -> Void
    ) throws {
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

  private typealias Adding = (
    _ name: String, _ change: (inout SignedAttack, inout TestPublisher) throws -> Void
  ) throws -> Void

  // MARK: 1 to 13, 15

  private static func addSignatures(_ add: Adding) throws {
    try add("1: no signatures") { attack, publisher in
      try attack.refuse(publisher, publisher.configBytes(), because: "it is not signed")
    }
    for type in [SignedType.release, .fresh] {
      try add("2: an empty list of signatures of \(type)") { attack, publisher in
        let empty = SignedBody(body: try publisher.body(of: type), signatures: [])
        try attack.refuse(
          publisher, publisher.envelope(empty, as: type), because: "has 0 of 1 valid signatures")
      }
    }
    try add("3: an unknown key") { attack, publisher in
      publisher.authority.release = [try TestKey(90)]
      try attack.refuse(publisher, because: "has 0 of 1 valid signatures")
    }
    try add("4 and 5: one key, alone and twice, of two") { attack, publisher in
      try publisher.rotate(to: 2) {
        $0.release.append(try TestKey(4))
        $0.thresholds.release = 2
      }
      let whole = try publisher.statement(.release)
      for signatures in [[whole.signatures[0]], [whole.signatures[0], whole.signatures[0]]] {
        let statement = SignedBody(body: whole.body, signatures: signatures)
        try attack.refuse(
          publisher, publisher.envelope(statement, as: .release),
          because: "has 1 of 2 valid signatures")
      }
      try attack.accept(publisher)
    }
    try add("6 and 11: a key under two ids, one of which is not its own") { attack, publisher in
      let (key, alias) = (publisher.authority.release[0], "00000000000000aa")
      try publisher.rotate(to: 2) { $0.release.append(try TestKey(4)) }
      publisher.documents = []
      var keys = Members()
      for key in publisher.authority.keys + publisher.authority.release + publisher.authority.fresh
      {
        keys["\(key.id)"] = key.member
      }
      keys[alias] = key.member
      publisher.document["keys"] = .dictionary(keys)
      var roles = try #require(
        PropertyList.decode(try publisher.documentBody()).value["roles"]?.members)
      roles["release"] = [
        "keys": [.string("\(key.id)"), .string(alias), .string("\(try TestKey(4).id)")],
        "threshold": 2,
      ]
      publisher.document["roles"] = .dictionary(roles)
      publisher.documents = [try publisher.keyDocument()]
      let whole = try publisher.statement(.release)
      let second = KeySignature(
        key: try #require(KeyID(alias)), bytes: whole.signatures[0].bytes)
      let twice = SignedBody(body: whole.body, signatures: [whole.signatures[0], second])
      try attack.refuse(
        publisher, publisher.envelope(twice, as: .release), because: "has 1 of 2 valid signatures")
      try attack.accept(publisher)
    }
    for threshold in [0, nil] as [Int64?] {
      try add("7: threshold \(threshold.map { "\($0)" } ?? "missing")") { attack, publisher in
        var role: Members = ["keys": []]
        role["threshold"] = threshold.map { .integer($0) }
        publisher.document["roles"] = [
          "keys": .dictionary(role), "release": .dictionary(role), "fresh": .dictionary(role),
        ]
        try publisher.rotate(to: 2)
        try attack.refuse(publisher, because: "'threshold' is missing or wrong in key document 2")
      }
    }
    try add("8: a valid signature beside garbage") { attack, publisher in
      var statement = try publisher.statement(.release)
      for bytes in [[], [1, 2, 3], Array(repeating: 0xFF, count: 64)] as [[UInt8]] {
        for key in [publisher.authority.release[0].id, try TestKey(91).id] {
          statement.signatures.insert(KeySignature(key: key, bytes: bytes), at: 0)
        }
      }
      try attack.accept(publisher, publisher.envelope(statement, as: .release))
    }
    try add("9: other forms of a valid signature") { attack, publisher in
      let statement = try publisher.statement(.release)
      let valid = statement.signatures[0].bytes
      for bytes in [
        Array(valid.dropLast()), valid + [0], Array(valid[32...] + valid[..<32]),
        valid.addingGroupOrder, Array(repeating: 0, count: 64),
      ] {
        let signature = KeySignature(key: statement.signatures[0].key, bytes: bytes)
        let other = SignedBody(body: statement.body, signatures: [signature])
        try attack.refuse(
          publisher, publisher.envelope(other, as: .release), because: "has 0 of 1 valid signatures"
        )
      }
      try attack.accept(publisher)
    }
    for type in [SignedType.release, .fresh] {
      try add("10: a flipped bit of \(type)") { attack, publisher in
        let statement = try publisher.statement(type)
        for place in stride(from: 0, to: statement.body.count, by: 23) {
          var body = statement.body
          body[place] ^= 1
          let forged = SignedBody(body: body, signatures: statement.signatures)
          try attack.refuse(publisher, publisher.envelope(forged, as: type), because: "")
        }
      }
    }
    try add("10: a flipped bit of the config") { attack, publisher in
      let (config, envelope) = try (publisher.configBytes(), Envelope(publisher.envelope()))
      for place in stride(from: 0, to: config.count, by: 41) {
        var bytes = config
        bytes[place] ^= 1
        let forged = Envelope(
          config: bytes, release: envelope.release, fresh: envelope.fresh, documents: [])
        try attack.refuse(
          publisher, forged.encoded(as: publisher.format), because: "is of another config")
      }
    }
    try add("12: a statement as another type") { attack, publisher in
      publisher.authority.fresh = publisher.authority.release
      try publisher.rotate(to: 2)
      let (release, fresh) = try (publisher.statement(.release), publisher.statement(.fresh))
      for (first, second) in [(fresh, fresh), (release, release), (fresh, release)] {
        try attack.refuse(
          publisher, publisher.envelope(release: first, fresh: second), because: "valid signatures")
      }
      let document = publisher.documents[0]
      try attack.refuse(
        publisher, publisher.envelope(release: document), because: "")
      try attack.accept(publisher)
    }
    try add("13: a forged length in the encoding") { attack, publisher in
      let body = try publisher.body(of: .release)
      let type = SignedType.release.mediaType
      for length in [body.count - 1, body.count + 1, 0] {
        let message = Array("DSSEv1 \(type.utf8.count) \(type) \(length) ".utf8) + body
        let key = publisher.authority.release[0]
        let statement = SignedBody(
          body: body, signatures: [KeySignature(key: key.id, bytes: try key.sign(message))])
        try attack.refuse(
          publisher, publisher.envelope(statement, as: .release),
          because: "has 0 of 1 valid signatures")
      }
    }
    try add("15: a key of another role") { attack, publisher in
      let body = try publisher.body(of: .release)
      for key in publisher.authority.keys + publisher.authority.fresh {
        let statement = SignedBody(
          body: body, signatures: [try key.signature(of: body, as: .release)])
        try attack.refuse(
          publisher, publisher.envelope(statement, as: .release),
          because: "has 0 of 1 valid signatures")
      }
    }
  }

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
    try add("14: bytes after the config") { attack, publisher in
      try attack.refuse(publisher, publisher.envelope() + Array("<x/>".utf8), because: unreadable)
    }
    try add("45: more than 64 kB") { attack, publisher in
      publisher.config["padding"] = .string(String(repeating: "x", count: 64 << 10))
      try attack.refuse(publisher, because: "")
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
  }
}

extension TestPublisher {
  /// Returns the signed config with another statement of a type.
  fileprivate func envelope(_ statement: SignedBody, as type: SignedType) throws -> [UInt8] {
    try type == .release ? envelope(release: statement) : envelope(fresh: statement)
  }
}

extension TestKey {
  /// The key in a key document.
  fileprivate var member: Value {
    ["algorithm": "ed25519", "public": .string(publicKey.bytes.base64)]
  }
}

extension [UInt8] {
  /// A signature whose second half is another number with the same remainder: L is added.
  fileprivate var addingGroupOrder: [UInt8] {
    // 2^252 + 27742317777372353535851937790883648493, the least significant byte first.
    let order: [UInt8] =
      [
        0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
        0x14,
      ] + Array(repeating: 0, count: 15) + [0x10]
    var (sum, carry) = (self, 0)
    for (place, byte) in order.enumerated() {
      let digit = Int(self[32 + place]) + Int(byte) + carry
      (sum[32 + place], carry) = (UInt8(digit & 0xFF), digit >> 8)
    }
    return sum
  }
}
