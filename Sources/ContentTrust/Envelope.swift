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
    guard let (value, _) = try? PropertyList.decode(bytes), let format = value["format"]?.number
    else { throw .malformed(.envelope, .unreadable) }
    if format == 1 { throw .unsigned }
    guard format == Self.format else { throw .malformed(.envelope, .format(format)) }
    guard let config = value["config"]?.signedData else {
      throw .malformed(.envelope, .member("config"))
    }
    self.config = config
    release = try Self.statement(.release, in: value)
    fresh = try Self.statement(.fresh, in: value)
    let documents = value["keys"] == nil ? [] : value["keys"]?.items?.map { $0.signedBody }
    guard let documents else { throw .malformed(.envelope, .member("keys")) }
    guard documents.count <= Self.documentLimit else { throw .tooManyDocuments }
    self.documents = documents.compactMap(\.self)
    guard self.documents.count == documents.count else {
      throw .malformed(.envelope, .member("keys"))
    }
  }

  /// Returns the only statement of a type; other types are ignored.
  private static func statement(
    _ type: SignedType, in value: Value
  ) throws(TrustError) -> SignedBody {
    let all = (value["statements"]?.items ?? []).filter {
      $0["type"]?.text?.hasSameBytes(as: type.rawValue) == true
    }
    guard all.count == 1, let statement = all[0].signedBody else {
      throw .malformed(.envelope, .member("statements"))
    }
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
  /// Data, or base64 in JSON; `nil` for another value.
  fileprivate var signedData: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Base64.decode(text)
    default: nil
    }
  }

  /// A body with signatures; `nil` for another value.
  ///
  /// A signature without a well-formed id is ignored, as one by an unknown key is.
  fileprivate var signedBody: SignedBody? {
    guard let body = self["body"]?.text, let items = self["signatures"]?.items else { return nil }
    var signatures: [KeySignature] = []
    for item in items {
      guard let key = item["key"]?.text, let bytes = item["signature"]?.signedData else {
        return nil
      }
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
  fileprivate func value(in format: PropertyListFormat, type: SignedType? = nil) -> Value {
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
