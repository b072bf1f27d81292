import ContentModel

extension TrustError {
  /// The reason as a sentence without its full stop.
  package var reason: String {
    switch self {
    case .unsigned: "it is not signed"
    case .tooLarge: "it has more than 64 kB"
    case .malformed(let part, .unreadable): "\(part.name) cannot be read"
    case .malformed(let part, .tooLarge): "\(part.name) is larger than allowed"
    case .malformed(let part, .member(let name)): "'\(name)' is missing or wrong in \(part.name)"
    case .malformed(let part, .format(let newer)): newer.sentence(about: part.name)
    case .tooManyDocuments: "it has more than \(Envelope.documentLimit) key documents"
    case .documentOutOfOrder(let version, let trusted):
      "key document \(version) does not follow the trusted document \(trusted)"
    case .otherDocument(let version): "key document \(version) is not the trusted one"
    case .foreign(let part): "\(part.name) is of another app or channel"
    case .tooFewSignatures(let part, let valid, let threshold):
      "\(part.name) has \(valid) of \(threshold) valid signatures"
    case .withheldDocument(let version): "it names key document \(version), which is missing"
    case .beforeRecovery(let part, let version, let recovery):
      "\(part.name) is of key document \(version), from before the recovery by document \(recovery)"
    case .otherConfig(let part): "\(part.name) is of another config"
    case .withdrawn(let release): "the config withdraws its own release \(release)"
    case .olderRelease(let release, let floor): "release \(release) is older than release \(floor)"
    case .equivocation(let release): "another config of release \(release) was accepted before"
    case .expired(let part, let since, _): "\(part.name) has ended at \(since.rfc3339)"
    }
  }

  /// The name of the reason for programs, which never changes.
  package var code: String {
    switch self {
    case .unsigned: "unsigned"
    case .tooLarge: "tooLarge"
    case .malformed: "malformed"
    case .tooManyDocuments: "tooManyDocuments"
    case .documentOutOfOrder: "documentOutOfOrder"
    case .otherDocument: "otherDocument"
    case .foreign: "foreign"
    case .tooFewSignatures: "tooFewSignatures"
    case .withheldDocument: "withheldDocument"
    case .beforeRecovery: "beforeRecovery"
    case .otherConfig: "otherConfig"
    case .withdrawn: "withdrawn"
    case .olderRelease: "olderRelease"
    case .equivocation: "equivocation"
    case .expired: "expired"
    }
  }
}

extension SignedPart {
  /// The part in a sentence.
  package var name: String {
    switch self {
    case .envelope: "the signed config"
    case .config: "the config inside"
    case .release: "the statement 'release'"
    case .fresh: "the statement 'fresh'"
    case .keys(let version): version.map { "key document \($0)" } ?? "a key document"
    }
  }
}
