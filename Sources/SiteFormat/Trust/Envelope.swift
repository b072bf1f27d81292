package import ContentModel
import PropertyLists

/// A signed config: the config's bytes, the statements about it, and the key documents.
package struct Envelope: Sendable {
  /// The bytes of the config of format 1.
  package let config: [UInt8]
  package let release: SignedBody
  package let fresh: SignedBody
  /// The key documents from version 2, in order; the newest 32 at most.
  package let documents: [SignedBody]

  /// The `format` of a signed config.
  package static let format = 2
  /// The most bytes of a signed config.
  package static let byteLimit = 64 << 10
  /// The most key documents.
  package static let documentLimit = 32

  package init(
    config: [UInt8], release: SignedBody, fresh: SignedBody, documents: [SignedBody]
  ) {
    (self.config, self.release, self.fresh) = (config, release, fresh)
    self.documents = documents
  }

  /// Reads a signed config; no signature is checked.
  package init(_ bytes: [UInt8]) throws(TrustError) {
    guard bytes.count <= Self.byteLimit else { throw .tooLarge }
    guard let (value, syntax) = try? PropertyList.decode(bytes), syntax != .openstep,
      case .integer(let integer) = value["format"], let format = Int(exactly: integer)
    else { throw .malformed(.envelope, .unreadable) }
    if format == 1 { throw .unsigned }
    if let newer = NewerFormat(value["format"], above: Self.format) {
      throw .malformed(.envelope, .format(newer))
    }
    guard format == Self.format else { throw .malformed(.envelope, .member("format")) }
    guard let config = value["config"]?.signedData(in: syntax) else {
      throw .malformed(.envelope, .member("config"))
    }
    self.config = config
    release = try Self.statement(.release, in: value, as: syntax)
    fresh = try Self.statement(.fresh, in: value, as: syntax)
    let rows = value["keys"] == nil ? [] : value["keys"]?.items
    guard let rows else { throw .malformed(.envelope, .member("keys")) }
    guard rows.count <= Self.documentLimit else { throw .tooManyDocuments }
    documents = try rows.map { row throws(TrustError) in
      let document = try row.signedBody(
        in: syntax, as: .keys(version: nil), limit: KeyDocument.byteLimit)
      guard let document else { throw .malformed(.envelope, .member("keys")) }
      return document
    }
  }

  /// Returns the only statement of a type; other types are ignored.
  private static func statement(
    _ type: SignedType, in value: Value, as syntax: PropertyListFormat
  ) throws(TrustError) -> SignedBody {
    let part = type == .release ? SignedPart.release : .fresh
    let all = (value["statements"]?.items ?? []).filter {
      $0["type"]?.text?.hasSameBytes(as: type.rawValue) == true
    }
    guard all.count == 1,
      let statement = try all[0].signedBody(
        in: syntax, as: part, limit: ReleaseStatement.byteLimit)
    else { throw .malformed(.envelope, .member("statements")) }
    return statement
  }

  /// Returns the canonical bytes in a format; OpenStep is not possible.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func encoded(as format: PropertyListFormat) throws -> [UInt8] {
    var members: Members = [
      "format": .integer(Int64(Self.format)), "config": .signed(config, in: format),
      "statements": .array([
        release.value(in: format, type: .release), fresh.value(in: format, type: .fresh),
      ]),
    ]
    if !documents.isEmpty { members["keys"] = .array(documents.map { $0.value(in: format) }) }
    return try PropertyList.encode(.dictionary(members), as: format)
  }
}

extension Value {
  /// Data, which is canonical base64 in JSON; `nil` for another value.
  fileprivate func signedData(in syntax: PropertyListFormat) -> [UInt8]? {
    switch self {
    case .data(let bytes): syntax == .json ? nil : bytes
    case .string(let text): syntax == .json ? text.base64Bytes : nil
    default: nil
    }
  }

  /// A body with signatures; `nil` for another value.
  ///
  /// A signature without a well-formed id is ignored, as one by an unknown key is.
  ///
  /// - Throws: `TrustError` if the body or the signatures are too many bytes to be checked.
  func signedBody(
    in syntax: PropertyListFormat, as part: SignedPart, limit: Int
  ) throws(TrustError) -> SignedBody? {
    guard case .string(let body) = self["body"], case .array(let items) = self["signatures"] else {
      return nil
    }
    guard body.utf8.count <= limit, items.count <= SignedBody.signatureLimit else {
      throw .malformed(part, .tooLarge)
    }
    var signatures: [KeySignature] = []
    for item in items {
      guard case .string(let key) = item["key"],
        let bytes = item["signature"]?.signedData(in: syntax)
      else { return nil }
      if let key = KeyID(key) { signatures.append(KeySignature(key: key, bytes: bytes)) }
    }
    return SignedBody(body: Array(body.utf8), signatures: signatures)
  }

  fileprivate static func signed(_ bytes: [UInt8], in format: PropertyListFormat) -> Value {
    format == .json ? .string(bytes.base64) : .data(bytes)
  }
}

extension SignedBody {
  /// Returns the value in an envelope; key documents have no type.
  func value(in format: PropertyListFormat, type: SignedType? = nil) -> Value {
    let signatures = self.signatures.sorted { $0.key < $1.key }.map { signature -> Value in
      ["key": .string("\(signature.key)"), "signature": .signed(signature.bytes, in: format)]
    }
    var members: Members = [
      "body": .string(String(decoding: body, as: UTF8.self)), "signatures": .array(signatures),
    ]
    if let type { members["type"] = .string(type.rawValue) }
    return .dictionary(members)
  }
}
