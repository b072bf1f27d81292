import ContentModel
import PropertyLists
import SiteFormat
import Testing

extension SignedAttack {
  /// Adds the attacks on signatures: 1 to 13, and 15.
  static func addSignatures(_ add: Adding) throws {
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
        for place in statement.body.indices {
          var body = statement.body
          body[place] ^= 1
          let forged = SignedBody(body: body, signatures: statement.signatures)
          try attack.refuse(
            publisher, publisher.envelope(forged, as: type),
            because: "has 0 of 1 valid signatures")
        }
      }
    }
    try add("10: a flipped bit of the config") { attack, publisher in
      let (config, envelope) = try (publisher.configBytes(), Envelope(publisher.envelope()))
      for place in config.indices {
        var bytes = config
        bytes[place] ^= 1
        let forged = Envelope(
          config: bytes, release: envelope.release, fresh: envelope.fresh, documents: [])
        try attack.refuse(
          publisher, forged.encoded(as: publisher.format), because: "is of another config")
      }
    }
    try add("10: a flipped bit of the type") { attack, publisher in
      let value = try PropertyList.decode(publisher.envelope()).value
      for (number, name) in ["release", "fresh"].enumerated() {
        for place in name.utf8.indices {
          var bytes = Array(name.utf8)
          bytes[name.utf8.distance(from: name.utf8.startIndex, to: place)] ^= 1
          var members = try #require(value.members)
          var statements = try #require(members["statements"]?.items)
          var statement = try #require(statements[number].members)
          statement["type"] = .string(String(decoding: bytes, as: UTF8.self))
          statements[number] = .dictionary(statement)
          members["statements"] = .array(statements)
          let forged = try PropertyList.encode(.dictionary(members), as: publisher.format)
          try attack.refuse(
            publisher, forged, because: "'statements' is missing or wrong in the signed config")
        }
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
        publisher, publisher.envelope(release: document),
        because: "'release' has 0 of 1 valid signatures")
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
