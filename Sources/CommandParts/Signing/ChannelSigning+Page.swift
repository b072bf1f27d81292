import CommandReports
package import ContentModel
package import ContentReleases
import ContentTrust
package import Diagnostics
import Platform

extension ChannelSigning {
  /// Returns a warning about a signed config that ends soon, or has ended: an error if less of the
  /// time is left than `limit`.
  package func warnings(
    about live: LiveRelease?, in channel: String, failUnder limit: Share? = nil
  ) -> [Diagnostic] {
    guard let live else { return [] }
    var warnings: [Diagnostic] = []
    if let signed = live.signed {
      let (left, end) = (signed.validity(at: Clock.now), signed.fresh.expires)
      let isUnder = limit.map { left < $0.part } ?? false
      if isUnder || left < 0.25 {
        warnings.append(
          Diagnostic(
            isUnder ? .error : .warning, id: "signature-age", at: nil,
            message:
              "readers accept nothing new from '\(channel)' after \(end.rfc3339), when its signature \(end < Clock.now ? "ended" : "ends")",
            notes: [
              Diagnostic.Note("'contentc resign \(channel)' signs the live release again")
            ]))
      }
    } else {
      warnings.append(
        Diagnostic(
          limit == nil ? .warning : .error, id: "signature-age", at: nil,
          message: "config of '\(channel)' is not signed, although content.yaml has 'signing'",
          notes: [
            Diagnostic.Note("docs/trust.md says how to turn it on, and what else it can mean")
          ]))
    }
    let document = newest
    let days =
      (document.expires.secondsSinceReferenceDate - Clock.now.secondsSinceReferenceDate) / 86_400
    if days < 60 {
      warnings.append(
        Diagnostic(
          limit != nil && days <= 0 ? .error : .warning, id: "key-document-age", at: nil,
          message:
            "key document \(document.version) of '\(channel)' \(days > 0 ? "ends" : "has ended") at \(document.expires.rfc3339): readers accept nothing after it",
          notes: [Diagnostic.Note("'contentc keys renew \(channel)' makes the next one")]))
    }
    return warnings
  }
}

extension LiveRelease {
  /// The lines about the signatures of config; none for a channel that is not signed.
  package func signingLines(by signing: ChannelSigning?) -> [String] {
    guard let signing else {
      return isSigned ? ["  signed   yes, but content.yaml has no keys"] : []
    }
    guard let signed else { return ["  NOT SIGNED, although content.yaml has 'signing'"] }
    let left = Int((signed.validity(at: Clock.now) * 100).rounded(.down))
    return [
      "  signed   until \(signed.fresh.expires.rfc3339) (\(left) % left); key document "
        + "\(signing.newest.version) until \(signing.newest.expires.rfc3339)"
    ]
  }

  /// The value about the signatures; `nil` for a channel that is not signed.
  package func signingValue(by signing: ChannelSigning?) -> Value? {
    guard let signing else { return nil }
    var members: Members = [
      "signed": .boolean(signed != nil), "keyDocument": .integer(Int64(signing.newest.version)),
      "keyDocumentExpires": .string(signing.newest.expires.rfc3339),
    ]
    if let signed {
      members["expires"] = .string(signed.fresh.expires.rfc3339)
      members["validity"] = .real(signed.validity(at: Clock.now))
    }
    return .dictionary(members)
  }
}
