package import ContentModel

extension TrustMemory {
  /// Returns the memory as a value for a binary property list.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func stored() throws -> Value {
    var members: Members = [
      "document": document.signed.value(in: .binary), "release": .integer(Int64(release)),
    ]
    members["config"] = config.map { .data($0.bytes) }
    members["fresh"] = try fresh.map { .data(try $0.body()) }
    members["latestIssued"] = latestIssued.map { .date($0) }
    members["recovery"] = recovery.map { recovery in
      [
        "version": .integer(Int64(recovery.version)),
        "release": .integer(Int64(recovery.release)),
        "purge": .integer(Int64(recovery.purge)),
      ]
    }
    return .dictionary(members)
  }

  /// Reads a stored memory; `nil` for a damaged one.
  ///
  /// If the memory is damaged, an app trusts its pinned document, as at its first start.
  package init?(stored value: Value) {
    guard let document = value["document"].flatMap({ KeyDocument(stored: $0) }),
      let release = value["release"]?.number, LimitedNumber.serials.contains(release)
    else { return nil }
    self.init(restoring: document)
    self.release = release
    if let stored = value["config"] {
      guard let config = stored.digest else { return nil }
      self.config = config
    }
    if let stored = value["fresh"] {
      guard case .data(let body) = stored, let fresh = try? FreshStatement(body) else { return nil }
      self.fresh = fresh
    }
    if let stored = value["latestIssued"] {
      guard let instant = stored.instant else { return nil }
      latestIssued = instant
    }
    if let stored = value["recovery"] {
      guard let recovery = KeyDocument.Floors(stored: stored) else { return nil }
      self.recovery = recovery
    }
  }
}

extension KeyDocument.Floors {
  fileprivate init?(stored: Value) {
    guard let version = stored["version"]?.number, let release = stored["release"]?.number,
      let purge = stored["purge"]?.number, version >= 1,
      [version, release, purge].allSatisfy(LimitedNumber.serials.contains)
    else { return nil }
    self.init(version: version, release: release, purge: purge)
  }
}

extension KeyDocument {
  fileprivate init?(stored: Value) {
    guard
      let signed = try? stored.signedBody(
        in: .binary, as: .keys(version: nil), limit: Self.byteLimit),
      let document = try? KeyDocument(signed)
    else { return nil }
    self = document
  }
}
