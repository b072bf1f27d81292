package import ContentModel
import PropertyLists
package import SiteFormat

/// A key document that is made or changed, before anyone signs it.
package struct KeyDraft: Sendable {
  package let app: String
  /// The channels whose configs these keys sign.
  package let channels: [String]
  /// The number of the document, from 1.
  package let version: Int
  package var issued: Instant
  package var expires: Instant
  /// The floors of a recovery, which later documents repeat.
  package var floors: KeyDocument.Floors?
  /// The names of keys that this document omits to be shorter, because earlier documents have them.
  package var namesToOmit: [KeyID: String] = [:]
  /// The longest time for which a document may count.
  ///
  /// For that time, an app that gets no later document accepts releases by a stolen release key.
  package static let mostDays = 731
  private var keys: [KeyID: Key] = [:]
  private var roles: [KeyDocument.Role: Role] = [:]

  /// A public key, and the name that people know it by.
  package struct Key: Hashable, Sendable {
    package let key: PublicKey
    package let name: String?

    package init(_ key: PublicKey, name: String?) { (self.key, self.name) = (key, name) }
  }

  private struct Role: Sendable {
    var threshold = 1
    var keys: Set<KeyID> = []
  }

  /// Why a change is refused, as a sentence without its full stop.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Begins the first document of a channel, without keys.
  package init(app: String, channel: String, issued: Instant, expires: Instant) {
    (self.app, channels, version) = (app, [channel], 1)
    (self.issued, self.expires) = (issued, expires)
    for role in KeyDocument.Role.allCases { roles[role] = Role() }
  }

  /// Begins the document after `document` with the same keys, or changes `document` if it is not
  /// signed.
  ///
  /// `names` are the names of keys in earlier documents. They are used for keys that `document`
  /// does not name.
  package init(
    changing document: KeyDocument, isSigned: Bool, names: [KeyID: String] = [:], issued: Instant,
    expires: Instant
  ) {
    (app, channels) = (document.app, document.channels)
    version = document.version + (isSigned ? 1 : 0)
    (self.issued, self.expires, floors) = (issued, expires, document.floors)
    for (id, key) in document.keys { keys[id] = Key(key, name: document.names[id] ?? names[id]) }
    for role in KeyDocument.Role.allCases {
      let signers = document.roles[role]
      roles[role] = Role(threshold: signers.threshold, keys: Set(signers.keys.keys))
    }
  }

  /// Adds a key to a role.
  package mutating func add(_ new: Key, to role: KeyDocument.Role) throws(Refusal) {
    let id = new.key.id
    if let name = new.name, let other = KeyID(name), other != id {
      throw Refusal(
        "the name '\(name)' of the key \(id) has the form of another key's id; give it another name, "
          + "such as NAME=FILE")
    }
    guard roles[role]?.keys.insert(id).inserted == true else {
      throw Refusal("the role '\(role.rawValue)' has the key \(id) already")
    }
    keys[id] = Key(new.key, name: new.name ?? keys[id]?.name)
  }

  /// Gives the role `other` the keys of a role.
  package mutating func copy(_ role: KeyDocument.Role, to other: KeyDocument.Role) {
    let keys = roles[role]?.keys ?? []
    roles[other]?.keys = keys
  }

  /// Removes the key with an id or a name from a role, or from all roles.
  package mutating func remove(_ word: String, from role: KeyDocument.Role?) throws(Refusal) {
    // If a word is the id of a key, it names that key, even if another key has the word as its
    // name.
    let isID = keys.keys.contains { "\($0)" == word }
    let found = keys.filter {
      isID ? "\($0.key)" == word : $0.value.name?.hasSameBytes(as: word) ?? false
    }.map(\.key).sorted()
    guard let id = found.first else { throw Refusal("no key has the id or the name '\(word)'") }
    guard found.count == 1 else {
      let ids = found.map { "\($0)" }.joined(separator: ", ")
      throw Refusal("several keys have the name '\(word)': \(ids)")
    }
    var isRemoved = false
    for each in role.map({ [$0] }) ?? KeyDocument.Role.allCases
    where roles[each]?.keys.remove(id) != nil {
      isRemoved = true
    }
    if let role, !isRemoved {
      throw Refusal("the role '\(role.rawValue)' does not have the key \(id)")
    }
    if !roles.values.contains(where: { $0.keys.contains(id) }) { keys[id] = nil }
  }

  /// Returns whether a role has a key.
  package func hasKey(_ id: KeyID, in role: KeyDocument.Role) -> Bool {
    roles[role]?.keys.contains(id) ?? false
  }

  /// Sets the number of keys of a role that must sign.
  package mutating func setThreshold(_ threshold: Int, of role: KeyDocument.Role) {
    roles[role]?.threshold = threshold
  }

  /// Returns the text to sign, with sorted keys and without spaces.
  ///
  /// - Throws: `Refusal` if no reader could use the document, or too few keys could sign it.
  package func body() throws -> [UInt8] {
    try check()
    var members: Members = [
      "format": 1, "app": .string(app), "channels": .array(channels.map(Value.string)),
      "version": .integer(Int64(version)), "issued": .string(issued.rfc3339),
      "expires": .string(expires.rfc3339), "keys": keysValue, "roles": rolesValue,
    ]
    members["floors"] = floors.map { floors in
      [
        "version": .integer(Int64(floors.version)), "release": .integer(Int64(floors.release)),
        "purge": .integer(Int64(floors.purge)),
      ]
    }
    let body = try PropertyList.encode(.dictionary(members), as: .json)
    guard body.count <= KeyDocument.byteLimit else {
      throw Refusal(
        "the document has \(body.count) bytes, and readers accept \(KeyDocument.byteLimit): give keys "
          + "shorter names")
    }
    return body
  }

  /// Refuses a document that counts for longer than `mostDays`.
  package static func checkValidity(of document: KeyDocument) throws(Refusal) {
    try checkValidity(from: document.issued, until: document.expires)
  }

  private static func checkValidity(from issued: Instant, until expires: Instant) throws(Refusal) {
    guard expires > issued.advanced(days: mostDays) else { return }
    throw Refusal(
      "the document would count until \(expires.rfc3339), and \(mostDays) days are the most: an app that "
        + "gets no later one would follow a stolen key for as long")
  }

  private func check() throws(Refusal) {
    guard keys.count <= KeyDocument.keyLimit else {
      throw Refusal("a document has at most \(KeyDocument.keyLimit) keys")
    }
    guard issued < expires else { throw Refusal("the document would end before it begins") }
    try Self.checkValidity(from: issued, until: expires)
    for role in KeyDocument.Role.allCases {
      let (threshold, count) = (roles[role]?.threshold ?? 0, roles[role]?.keys.count ?? 0)
      guard count > 0 else {
        throw Refusal("the role '\(role.rawValue)' has no key: nothing could be signed any more")
      }
      guard (1...count).contains(threshold) else {
        throw Refusal(
          "the role '\(role.rawValue)' has \(count) keys, and \(threshold) must sign")
      }
    }
  }

  private var keysValue: Value {
    .dictionary(
      Members(
        keys.sorted { $0.key < $1.key }.map { id, key -> (String, Value) in
          var members: Members = [
            "algorithm": "ed25519", "public": .string(key.key.bytes.base64),
          ]
          if let name = key.name, !(namesToOmit[id]?.hasSameBytes(as: name) ?? false) {
            members["name"] = .string(name)
          }
          return ("\(id)", .dictionary(members))
        }))
  }

  private var rolesValue: Value {
    .dictionary(
      Members(
        KeyDocument.Role.allCases.map { role -> (String, Value) in
          let signers = roles[role] ?? Role()
          return (
            role.rawValue,
            [
              "threshold": .integer(Int64(signers.threshold)),
              "keys": .array(signers.keys.sorted().map { .string("\($0)") }),
            ]
          )
        }))
  }
}

extension Instant {
  fileprivate func advanced(days: Int) -> Instant {
    Instant(secondsSinceReferenceDate: secondsSinceReferenceDate + Double(days) * 86_400)
  }
}
