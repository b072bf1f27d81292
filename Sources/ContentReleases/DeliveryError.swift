package import ContentModel
package import SiteFormat

/// An error in the state of a target or release, with its remedy.
package struct DeliveryError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// A rule forbids the change, or a file at the target is foreign or damaged.
    case refused
    /// The target lacks an object that a release names, or has it with other bytes.
    case missing
    /// Another command was faster; readers still get what that command left.
    case lost
    /// A rollout is on, and the publication would replace its content by accident.
    case rollout
    /// The release or the channel's content does not exist.
    case unknown
  }

  package var kind: Kind
  /// The problem and its remedy, as a sentence.
  package var description: String
  /// More about the remedy, as sentences.
  package var notes: [String]
  /// The object of a release that the target lacks or has with other bytes; `nil` for other errors.
  package var object: Digest?

  package init(
    _ kind: Kind, _ description: String, notes: [String] = [], lacking object: Digest? = nil
  ) {
    (self.kind, self.description, self.notes, self.object) = (kind, description, notes, object)
  }
}

extension Rollout {
  /// The error of a publication, or of a promotion from the channel, while the rollout is on.
  package func refusal(in channel: String) -> DeliveryError {
    DeliveryError(
      .rollout, "\(sentence(in: channel)); nothing was changed",
      notes: [
        "'contentc rollout \(channel) --finish' gives it to all readers; '--abort' takes it back",
        "'contentc publish \(channel) --replace-next' publishes other content in its place",
      ])
  }

  /// Refuses to change the rollout if it is another one than `known`, or has other next content:
  /// another command was faster.
  package func requireSameContent(
    as known: Rollout?, in channel: String, otherwise kind: DeliveryError.Kind
  ) throws(DeliveryError) {
    if name == known?.name, release == known?.release { return }
    throw DeliveryError(
      kind,
      "another publisher was faster: \(sentence(in: channel)) now; nothing was changed; "
        + "run again if that release is meant")
  }

  /// The error of a step if no rollout is on in a channel.
  package static func absence(in channel: String) -> DeliveryError {
    DeliveryError(
      .unknown, "no rollout is on in '\(channel)'",
      notes: ["'contentc publish \(channel) --to 10%' begins one"])
  }
}

extension DeliveryError {
  /// Creates the error of a file whose member `format` is above the highest number that this version
  /// reads; `nil` for every other file.
  package init?(newer value: Value?, above known: Int, at location: String) {
    guard let newer = NewerFormat(value, above: known) else { return nil }
    self.init(.refused, newer.sentence(about: location))
  }

  /// The error of an emergency without a live release.
  package static func removedConfig(of channel: String) -> DeliveryError {
    DeliveryError(
      .refused, "config of '\(channel)' was removed; nothing was changed; publish the content again"
    )
  }
}
