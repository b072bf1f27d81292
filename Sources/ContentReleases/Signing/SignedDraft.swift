package import ContentModel
import ContentTrust

/// The parts of a draft that its signatures prove: the config, and the files that it names by hash.
package struct SignedDraft: Sendable {
  package let draft: SigningDraft
  package let folder: DraftFolder
  /// The members of the config of format 1.
  package let members: Members
  package let record: ReleaseRecord
  /// The bytes of the file with a purge's work; `nil` for other releases.
  ///
  /// The caller compares them with the record.
  package let begun: [UInt8]?
  /// The bytes of the signed config.
  let bytes: [UInt8]

  /// Verifies a draft as readers do.
  ///
  /// - Throws: `DeliveryError` if readers would refuse the signed config; `SigningDraft.Refusal` for a
  ///   file that is not the one that the config names.
  package init(
    _ draft: SigningDraft, in folder: DraftFolder, of place: ChannelPlace
  ) throws {
    guard let signing = place.signing else { throw place.notSigned }
    (members, record) = try draft.contents()
    bytes = try signing.sealed(
      draft.config, with: draft.statements.withNeededSignatures(by: signing.newest), of: place,
      format: record.format, at: signing.now())
    if record.purgeOrder == nil || draft.isResigning {
      begun = nil
    } else if let bytes = draft.begun {
      begun = bytes
    } else {
      throw SigningDraft.Refusal(SigningDraft.begunName, "the file is missing")
    }
    (self.draft, self.folder) = (draft, folder)
  }

  /// The content of the release, whose objects are in the folder.
  ///
  /// The objects that the folder lacks are those that the target had.
  var content: ReleaseContent {
    record.content { [folder] object in
      guard let file = try folder.file(of: object) else {
        throw SigningDraft.Refusal(object.key, "the file is missing")
      }
      return file
    }
  }
}

extension ChannelPlace {
  /// The error for a channel whose config is not signed.
  var notSigned: DeliveryError {
    DeliveryError(.refused, "config of '\(channel)' is not signed: nothing was changed")
  }
}
