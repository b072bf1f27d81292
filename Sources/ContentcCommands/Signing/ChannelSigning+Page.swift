package import ContentModel
package import ContentReleases
package import Diagnostics
package import SiteFormat
import System

extension ChannelSigning {
  /// Returns the warnings about a channel's signatures and key documents.
  ///
  /// With a limit, these are errors: a missing signature, a pending or ended key document, and a
  /// signature whose remaining share of its time is below the limit.
  package func warnings(
    about live: LiveRelease?, in channel: String, failUnder limit: Share? = nil
  ) -> [Diagnostic] {
    guard let live else { return [] }
    let share = (try? carried.share(in: live.format)) ?? 0
    return ageWarning(live, in: channel, failUnder: limit) + lengthWarning(live, in: channel)
      + pendingWarning(in: channel, isError: limit != nil)
      + ChannelKeys.roomWarning(share, of: channel)
      + documentAgeWarning(in: channel, failsAtEnd: limit != nil)
  }

  /// Returns a warning if the live config is not signed, or its signature ends soon or has ended.
  private func ageWarning(
    _ live: LiveRelease, in channel: String, failUnder limit: Share?
  ) -> [Diagnostic] {
    guard let signed = live.signed else {
      return [
        Diagnostic(
          limit == nil ? .warning : .error, rule: .signatureAge, at: nil,
          message: "config of '\(channel)' is not signed, although content.yaml has 'signing'",
          notes: [
            Diagnostic.Note(
              "docs/reference/trust.md says how to turn it on, and what else it can mean")
          ])
      ]
    }
    let (left, end) = (signed.validity(at: Clock.now), signed.fresh.expires)
    let isUnder = limit.map { left < $0.part } ?? false
    guard isUnder || left < 0.25 else { return [] }
    return [
      Diagnostic(
        isUnder ? .error : .warning, rule: .signatureAge, at: nil,
        message:
          "readers accept nothing new from '\(channel)' after \(end.rfc3339), when its signature \(end < Clock.now ? "ended" : "ends")",
        notes: [
          Diagnostic.Note("'contentc resign \(channel)' signs the live release again")
        ])
    ]
  }

  /// Returns a warning if the newest key document ends soon, or has ended.
  private func documentAgeWarning(in channel: String, failsAtEnd: Bool) -> [Diagnostic] {
    let document = newest
    let days =
      (document.expires.secondsSinceReferenceDate - Clock.now.secondsSinceReferenceDate) / 86_400
    guard days < 60 else { return [] }
    return [
      Diagnostic(
        failsAtEnd && days <= 0 ? .error : .warning, rule: .keyDocumentAge, at: nil,
        message:
          "key document \(document.version) of '\(channel)' \(days > 0 ? "ends" : "has ended") at \(document.expires.rfc3339): readers accept nothing after it",
        notes: [Diagnostic.Note("'contentc keys renew \(channel)' makes the next one")])
    ]
  }

  /// Returns a warning if the live config is signed for a longer time than `validFor`.
  ///
  /// Whoever keeps readers from later configs could show them this config for all that time.
  private func lengthWarning(_ live: LiveRelease, in channel: String) -> [Diagnostic] {
    guard let signed = live.signed,
      let length = signed.fresh.unusualLength(beyond: max(validFor.seconds, 86_400))
    else { return [] }
    return [
      .warning(
        .signatureLength, at: nil,
        message:
          "the live config of '\(channel)' is signed for \(length), until \(signed.fresh.expires.rfc3339), and "
          + "'validFor' is \(validFor): whoever keeps readers from a later one can show it to them until then",
        notes: [
          Diagnostic.Note(
            "if none of you signed it, assume that the 'fresh' key is stolen: docs/reference/trust.md says what to do"
          )
        ])
    ]
  }

  /// Returns a warning about a key document that lacks signatures.
  private func pendingWarning(in channel: String, isError: Bool) -> [Diagnostic] {
    guard let pending else { return [] }
    let lacking = pending.signatures(after: newest).filter { !$0.isEnough }.map { lacking in
      "\(lacking.threshold - lacking.count) of \(lacking.threshold) signatures by the keys of document "
        + "\(lacking.authority)"
    }
    let removed = KeyDocument.Role.allCases.flatMap { role in
      newest.roles[role].keys.keys.filter { pending.roles[role].keys[$0] == nil }
    }
    let names = Set(removed).sorted().map { id in
      "\(id)" + (newest.names[id].map { " \($0.harmless)" } ?? "")
    }
    let list = names.joined(separator: ", ")
    let stillCounting =
      switch names.count {
      case 0: ""
      case 1: "; until it has them, the key that it removes (\(list)) still counts"
      default: "; until it has them, the keys that it removes (\(list)) still count"
      }
    return [
      Diagnostic(
        isError ? .error : .warning, rule: .unsignedKeyDocument, at: nil,
        message:
          "key document \(pending.version) of '\(channel)' does not count: it lacks "
          + lacking.joined(separator: " and ") + stillCounting,
        notes: [Diagnostic.Note("'contentc keys sign \(channel)' shows it, and signs it")])
    ]
  }
}

extension FreshStatement {
  /// Returns the time for which a config is current, such as `3650d`, if it is longer than some
  /// seconds; `nil` if it is not.
  package func unusualLength(beyond seconds: Int) -> String? {
    let length = expires.secondsSinceReferenceDate - issued.secondsSinceReferenceDate
    guard length > Double(seconds) else { return nil }
    return TimeSpan(seconds: Int(length)).map { "\($0)" } ?? Int(length / 86_400).counted("day")
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
