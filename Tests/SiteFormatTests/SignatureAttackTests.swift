import ContentModel
import PropertyLists
import SiteFormat
import TestSigning
import Testing

/// Forged and missing signatures: see the attacks in docs/reference/trust.md.
@Suite struct SignatureAttackTests {
  @Test func acceptsWhatThePublisherSigned() throws {
    for format in [PropertyListFormat.binary, .xml, .json] {
      var publisher = try TestPublisher()
      publisher.format = format
      var memory = try publisher.memory()
      let config = try memory.verify(publisher.envelope())
      #expect(try config.bytes == publisher.configBytes())
      #expect(memory.release == 5 && memory.config == config.release.config)
    }
  }

  @Test func refusesAnUnsignedConfig() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    #expect(throws: TrustError.unsigned) { try memory.verify(publisher.configBytes()) }
  }

  @Test func refusesStatementsWithoutSignatures() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let release = SignedBody(body: try publisher.body(of: .release), signatures: [])
    #expect(throws: TrustError.tooFewSignatures(.release, valid: 0, threshold: 1)) {
      try memory.verify(publisher.envelope(release: release))
    }
    let fresh = SignedBody(body: try publisher.body(of: .fresh), signatures: [])
    #expect(throws: TrustError.tooFewSignatures(.fresh, valid: 0, threshold: 1)) {
      try memory.verify(publisher.envelope(fresh: fresh))
    }
  }

  /// A later format of statements may allow numbers that this one refuses.
  @Test(arguments: [1.5, -1, .integer(1 << 60)] as [Value])
  func namesTheLaterFormatOfAStatementWithOtherNumbers(number: Value) throws {
    var publisher = try TestPublisher()
    publisher.release["format"] = 2
    publisher.release["more"] = number
    var memory = try publisher.memory()
    #expect(throws: TrustError.malformed(.release, .format(NewerFormat(2, above: 1)))) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test func refusesASignatureByAnUnknownKey() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.authority.release = [try TestKey(9)]
    #expect(throws: TrustError.tooFewSignatures(.release, valid: 0, threshold: 1)) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test func countsDistinctKeysOnly() throws {
    var publisher = try TestPublisher()
    publisher.authority.release.append(try TestKey(4))
    publisher.authority.thresholds.release = 2
    var memory = try publisher.memory()
    let first = try publisher.authority.release[0].signature(
      of: publisher.body(of: .release), as: .release)
    for signatures in [[first], [first, first]] {
      let release = SignedBody(body: try publisher.body(of: .release), signatures: signatures)
      #expect(throws: TrustError.tooFewSignatures(.release, valid: 1, threshold: 2)) {
        try memory.verify(publisher.envelope(release: release))
      }
    }
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
  }

  @Test("ignores a key and a signature under an id that is not the key's")
  func ignoresWrongIDs() throws {
    var publisher = try TestPublisher()
    publisher.authority.thresholds.release = 2
    let key = publisher.authority.release[0]
    let alias = "00000000000000aa"
    publisher.document["keys"] = .dictionary(
      Members(
        try [
          ("\(TestKey(1).id)", TestKey(1)), ("\(key.id)", key), (alias, key),
          ("\(TestKey(3).id)", TestKey(3)),
        ].map { id, key -> (String, Value) in
          (id, ["algorithm": "ed25519", "public": .string(key.publicKey.bytes.base64)])
        }))
    publisher.document["roles"] = [
      "keys": ["keys": [.string("\(try TestKey(1).id)")], "threshold": 1],
      "release": ["keys": [.string("\(key.id)"), .string(alias)], "threshold": 2],
      "fresh": ["keys": [.string("\(try TestKey(3).id)")], "threshold": 1],
    ]
    var memory = try publisher.memory()
    let body = try publisher.body(of: .release)
    let signature = try key.signature(of: body, as: .release)
    let aliased = KeySignature(key: try #require(KeyID(alias)), bytes: signature.bytes)
    #expect(throws: TrustError.tooFewSignatures(.release, valid: 1, threshold: 2)) {
      try memory.verify(
        publisher.envelope(release: SignedBody(body: body, signatures: [signature, aliased])))
    }
  }

  @Test(arguments: [0, nil] as [Int64?])
  func refusesADocumentWithoutThreshold(threshold: Int64?) throws {
    var publisher = try TestPublisher()
    var role: Members = ["keys": []]
    role["threshold"] = threshold.map { .integer($0) }
    publisher.document["roles"] = [
      "keys": .dictionary(role), "release": .dictionary(role), "fresh": .dictionary(role),
    ]
    #expect(throws: TrustError.malformed(.keys(version: 1), .member("threshold"))) {
      try publisher.memory()
    }
  }

  @Test(arguments: ["keys", "release", "fresh"])
  func refusesADocumentThatLacksARole(role: String) throws {
    var publisher = try TestPublisher()
    var roles: Members = [:]
    for name in ["keys", "release", "fresh"] where name != role {
      roles[name] = ["keys": [], "threshold": 1]
    }
    publisher.document["roles"] = .dictionary(roles)
    #expect(throws: TrustError.malformed(.keys(version: 1), .member(role))) {
      try publisher.memory()
    }
  }

  @Test func acceptsAValidSignatureBesideGarbage() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    var release = try publisher.statement(.release)
    for bytes in [[], [1, 2, 3], Array(repeating: 0xFF, count: 64)] as [[UInt8]] {
      for key in [try TestKey(2).id, try TestKey(8).id] {
        release.signatures.insert(KeySignature(key: key, bytes: bytes), at: 0)
      }
    }
    #expect(throws: Never.self) { try memory.verify(publisher.envelope(release: release)) }
  }

  @Test(arguments: [PropertyListFormat.binary, .json])
  func refusesAFlippedBitInEachByteThatIsSigned(format: PropertyListFormat) throws {
    var publisher = try TestPublisher()
    publisher.format = format
    let honest = try publisher.memory()
    for type in [SignedType.release, .fresh] {
      let statement = try publisher.statement(type)
      for place in statement.body.indices {
        var body = statement.body
        body[place] ^= 1
        let forged = SignedBody(body: body, signatures: statement.signatures)
        var memory = honest
        #expect(throws: TrustError.self) {
          try memory.verify(
            publisher.envelope(
              release: type == .release ? forged : nil, fresh: type == .fresh ? forged : nil))
        }
        #expect(memory == honest)
      }
    }
    let config = try publisher.configBytes()
    let statements = try (publisher.statement(.release), publisher.statement(.fresh))
    for place in config.indices {
      var bytes = config
      bytes[place] ^= 1
      let envelope = Envelope(
        config: bytes, release: statements.0, fresh: statements.1, documents: [])
      var memory = honest
      #expect(throws: TrustError.otherConfig(.release)) {
        try memory.verify(envelope.encoded(as: format))
      }
    }
  }

  /// If any single byte of the answer changes, the config is refused or is the same as before.
  @Test(arguments: [PropertyListFormat.binary, .xml, .json])
  func acceptsNoOtherConfigAfterAnyFlippedBit(format: PropertyListFormat) throws {
    var publisher = try TestPublisher()
    publisher.format = format
    let (before, config) = try (publisher.memory(), publisher.configBytes())
    let bytes = try publisher.envelope()
    var after = before
    _ = try after.verify(bytes)
    for place in bytes.indices {
      // The longer text formats have one bit of each byte flipped.
      for bit in format == .binary ? 0..<8 : (place % 8)..<(place % 8 + 1) {
        var forged = bytes
        forged[place] ^= 1 << bit
        var memory = before
        let accepted = try? memory.verify(forged)
        if let accepted, accepted.bytes != config {
          Issue.record("another config after bit \(bit) of byte \(place)")
        }
        if memory != (accepted == nil ? before : after) {
          Issue.record("another memory after bit \(bit) of byte \(place)")
        }
      }
    }
  }

  /// Only the signed type distinguishes bodies that have the members of all types.
  @Test(arguments: SignedType.allCases, [SignedPart.release, .fresh, .keys(version: 2)])
  func refusesABodyOfAnotherType(signed: SignedType, part: SignedPart) throws {
    let offered: SignedType =
      switch part {
      case .release: .release
      case .fresh: .fresh
      default: .keys
      }
    var publisher = try TestPublisher()
    let key = publisher.authority.release[0]
    publisher.authority.keys = [key]
    publisher.authority.fresh = [key]
    var memory = try publisher.memory()
    var next = publisher
    try next.rotate(to: 2)
    let bytes = try publisher.configBytes()
    var members = try #require(PropertyList.decode(next.documents[0].body).value.members)
    let keys = members["keys"]
    for (name, value) in publisher.release { members[name] = value }
    members["expires"] = TestPublisher.time(days: 14)
    members["config"] = .string(Digest(of: bytes).hex)
    members["size"] = .integer(Int64(bytes.count))
    // In a statement, `keys` is the version of a key document.
    members["keys"] = offered == .keys ? keys : 1
    let body = try PropertyList.encode(.dictionary(members), as: .json)
    let statement = SignedBody(body: body, signatures: [try key.signature(of: body, as: signed)])
    publisher.documents = offered == .keys ? [statement] : []
    let envelope = try publisher.envelope(
      release: offered == .release ? statement : nil, fresh: offered == .fresh ? statement : nil)
    if signed == offered {
      #expect(throws: Never.self) { try memory.verify(envelope) }
    } else {
      #expect(throws: TrustError.tooFewSignatures(part, valid: 0, threshold: 1)) {
        try memory.verify(envelope)
      }
    }
  }

  /// The lengths in the signed encoding make each pair of type and body unique.
  @Test(arguments: [
    (SignedType.release, "DSSEv1 37 application/vnd.contentc.release+json 5 hello"),
    (.fresh, "DSSEv1 35 application/vnd.contentc.fresh+json 5 hello"),
    (.keys, "DSSEv1 34 application/vnd.contentc.keys+json 5 hello"),
    (.sums, "DSSEv1 29 application/vnd.contentc.sums 5 hello"),
  ])
  func encodesAsDSSEDoes(type: SignedType, encoding: String) {
    #expect(type.encoding(of: Array("hello".utf8)) == Array(encoding.utf8))
    #expect(type.encoding(of: []).suffix(3) == Array(" 0 ".utf8))
  }

  @Test(arguments: [
    #"{"app":"shop","app":"shop"}"#, #"{"app":"shop"} x"#, "{}{}", "[]", "", "nul",
    #"{"size":-1}"#, #"{"size":1.5}"#, #"{"other":[{"deep":-1}]}"#, #"{"app":null}"#,
    #"{"format":9223372036854775808}"#, "\u{FEFF}{}",
  ])
  func refusesBodiesThatAreNotStrictJSON(text: String) throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let body = Array(text.utf8)
    let release = SignedBody(
      body: body, signatures: [try TestKey(2).signature(of: body, as: .release)])
    #expect(throws: TrustError.malformed(.release, .unreadable)) {
      try memory.verify(publisher.envelope(release: release))
    }
  }

  @Test(arguments: ["app", "channel", "release", "config", "size", "issued", "keys", "format"])
  func refusesAStatementWithoutAMember(key: String) throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let whole = try PropertyList.decode(publisher.body(of: .release)).value
    var members = try #require(whole.members)
    members[key] = nil
    let body = try PropertyList.encode(.dictionary(members), as: .json)
    let release = SignedBody(
      body: body, signatures: [try TestKey(2).signature(of: body, as: .release)])
    #expect(throws: TrustError.malformed(.release, .member(key))) {
      try memory.verify(publisher.envelope(release: release))
    }
  }

  @Test func refusesTwoStatementsOfAType() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let value = try PropertyList.decode(publisher.envelope()).value
    var members = try #require(value.members)
    let statements = try #require(members["statements"]?.items)
    members["statements"] = .array(statements + statements.prefix(1))
    let twice = try PropertyList.encode(.dictionary(members), as: .binary)
    #expect(throws: TrustError.malformed(.envelope, .member("statements"))) {
      try memory.verify(twice)
    }
    // Other types are ignored.
    let other: Value = ["type": "mirror", "body": "x", "signatures": []]
    members["statements"] = .array([other] + statements)
    let more = try PropertyList.encode(.dictionary(members), as: .binary)
    #expect(throws: Never.self) { try memory.verify(more) }
  }

  @Test func refusesASignatureByAKeyOfAnotherRole() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let body = try publisher.body(of: .release)
    for key in [1, 3] {
      let release = SignedBody(
        body: body, signatures: [try TestKey(key).signature(of: body, as: .release)])
      #expect(throws: TrustError.tooFewSignatures(.release, valid: 0, threshold: 1)) {
        try memory.verify(publisher.envelope(release: release))
      }
    }
  }

  // MARK: Sizes

  @Test func refusesMoreThan64Kilobytes() throws {
    var publisher = try TestPublisher()
    publisher.format = .json
    var memory = try publisher.memory()
    let bytes = try publisher.envelope()
    // White space is allowed at the end of JSON.
    let full = bytes + Array(repeating: UInt8(ascii: " "), count: (64 << 10) - bytes.count)
    #expect(throws: Never.self) { try memory.verify(full) }
    #expect(throws: TrustError.tooLarge) { try memory.verify(full + [UInt8(ascii: " ")]) }
  }

  @Test(arguments: [SignedType.release, .fresh, .keys], [0, 1])
  func refusesBodiesOverTheirLimit(type: SignedType, excess: Int) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    if type == .keys { try publisher.rotate(to: 2) }
    let body = try type == .keys ? publisher.documents[0].body : publisher.body(of: type)
    let limit = type == .keys ? KeyDocument.byteLimit : ReleaseStatement.byteLimit
    // White space is allowed at the end of JSON.
    let padding = Array(repeating: UInt8(ascii: " "), count: limit + excess - body.count)
    let key = try TestKey(type == .release ? 2 : type == .fresh ? 3 : 1)
    let signature = try key.signature(of: body + padding, as: type)
    let long = SignedBody(body: body + padding, signatures: [signature])
    if type == .keys { publisher.documents = [long] }
    let envelope = try publisher.envelope(
      release: type == .release ? long : nil, fresh: type == .fresh ? long : nil)
    if excess == 0 {
      #expect(throws: Never.self) { try memory.verify(envelope) }
    } else {
      let part: SignedPart =
        type == .release ? .release : type == .fresh ? .fresh : .keys(version: nil)
      #expect(throws: TrustError.malformed(part, .tooLarge)) { try memory.verify(envelope) }
    }
  }

  /// Whoever can write to the bucket must not keep phones busy with garbage under a known id.
  @Test func refusesMoreThan32Signatures() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    var release = try publisher.statement(.release)
    let garbage = KeySignature(key: try TestKey(2).id, bytes: Array(repeating: 1, count: 64))
    release.signatures.insert(contentsOf: Array(repeating: garbage, count: 31), at: 0)
    #expect(throws: Never.self) { try memory.verify(publisher.envelope(release: release)) }
    release.signatures.insert(garbage, at: 0)
    #expect(throws: TrustError.malformed(.release, .tooLarge)) {
      try memory.verify(publisher.envelope(release: release))
    }
  }

  @Test func refusesADocumentOf17Keys() throws {
    var publisher = try TestPublisher()
    publisher.authority.release = try (10..<24).map { try TestKey($0) }
    #expect(throws: Never.self) { try publisher.memory() }
    publisher.authority.release.append(try TestKey(24))
    #expect(throws: TrustError.malformed(.keys(version: 1), .tooLarge)) {
      try publisher.memory()
    }
  }

}
