package import ContentModel
import ContentTargets
import SiteFormat
import System

/// The parts of a draft that its signatures prove: the config, and the files that it names by hash.
package struct SignedDraft: Sendable {
  package let draft: SigningDraft
  package let folder: DraftFolder
  /// The members of the config of format 1.
  package let members: Members
  package let record: ReleaseRecord
  /// The bytes of the file with a purge's work; `nil` for other releases.
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
    begun = draft.isResigning ? nil : draft.begun
    (self.draft, self.folder) = (draft, folder)
  }

  /// The hash of the last purge's `begun`; `nil` if config names none.
  private var list: Digest? { members["purge"]?["list"]?.digest }

  /// Refuses a purge without its file; other releases repeat the name of the last purge's.
  ///
  /// - Throws: `SigningDraft.Refusal` if the file is missing.
  func requireBegun(after live: LiveRelease?) throws(SigningDraft.Refusal) {
    if begun == nil, let list, list != live?.purge?["list"]?.digest {
      throw SigningDraft.Refusal(SigningDraft.begunName, "the file is missing")
    }
  }

  /// Returns whether the release only hides the content of the live one, by a maintenance without an
  /// end.
  ///
  /// A step of a rollout does more.
  package func onlyHides(_ live: LiveRelease) -> Bool {
    record.contentRelease == live.record.contentRelease && record.rollout == live.rollout
      && MaintenanceSwitch(members["maintenance"]).hidesContent
  }

  /// Checks the objects in the folder.
  ///
  /// - Throws: `SigningDraft.Refusal` for an object with other bytes; `StoreError`.
  func checkObjects() throws {
    _ = try record.objects.mapOverlapped { [folder] object in try folder.file(of: object) == nil }
  }

  /// Returns the content of the release, whose objects are in the folder or at a target.
  func content(at target: any Target) -> ReleaseContent {
    let stored = record.content(at: target)
    return record.content { [folder] object in
      try folder.file(of: object) ?? stored.file(object)
    }
  }
}

extension ChannelPlace {
  /// The error for a channel whose config is not signed.
  package var notSigned: DeliveryError {
    DeliveryError(.refused, "config of '\(channel)' is not signed: nothing was changed")
  }
}
