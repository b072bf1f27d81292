import SiteFormat

/// Something that happened in a client, for logs and counters; without names of persons or devices.
///
/// ```swift
/// for await event in client.events { log(event.description) }
/// ```
public enum ContentEvent: Hashable, Sendable, CustomStringConvertible {
  /// A request for config ended with a status, or without an answer (0).
  case looked(status: Int)
  /// An object of so many bytes arrived. If a recipe of a bundle arrived, these are its bytes.
  case loaded(bytes: Int)
  /// A release is shown from now on.
  case switched(release: Int)
  /// A purge with this number was applied.
  case purged(sequence: Int)
  /// A key document with this version is trusted from now on.
  case trusted(document: Int)
  /// An answer was not accepted. If it was a recipe, the client loads the bundle.
  case refused(ContentError)
  /// A refresh failed. One that found nothing new is no event.
  case failed(ContentError)
  /// Stored files are damaged or cannot be written; the client works without them.
  case storage(ContentError)
  /// Stored files of so many bytes were removed, because the storage exceeded its limit.
  case evicted(bytes: Int)
  /// A search for the nearest entries read so many tiles, some of which were loaded for it.
  case searched(tiles: Int, loaded: Int)
  /// An entry does not match the type that the app decodes.
  case undecodable(ContentError)
  /// A release ended the app twice; it is not shown any more, unless there is no other content.
  case avoided(release: Int)

  /// The event in a few words.
  public var description: String {
    switch self {
    case .looked(let status):
      status == 0 ? "config was not answered" : "config was answered with \(status)"
    case .loaded(let bytes): "an object of \(bytes) bytes arrived"
    case .switched(let release): "release \(release) is shown"
    case .purged(let sequence): "purge \(sequence) was applied"
    case .trusted(let version): "key document \(version) is trusted"
    case .refused(let error): "an answer was refused: \(error)"
    case .failed(let error): "a refresh failed: \(error)"
    case .storage(let error): "the storage failed: \(error)"
    case .evicted(let bytes): "stored files of \(bytes) bytes were removed above the limit"
    case .searched(let tiles, let loaded):
      "a search for the nearest entries read \(tiles) tiles and loaded \(loaded) of them"
    case .undecodable(let error): "an entry was left out: \(error)"
    case .avoided(let release): "release \(release) ended the app twice and is not shown"
    }
  }
}
