import ContentModel
package import ContentTargets
package import Diagnostics
import System

/// The files of a site, as readers get them.
package struct PublishedFiles: Sendable {
  /// The address in messages.
  package let name: String
  /// Returns the decoded file with a key; `nil` if there is none.
  package let read: @Sendable (_ key: String) throws -> [UInt8]?

  /// The files that `read` returns.
  init(name: String, read: @escaping @Sendable (_ key: String) throws -> [UInt8]?) {
    (self.name, self.read) = (name, read)
  }

  /// The files at a target.
  package init(_ target: any Target) {
    name = target.name
    read = { try target.read($0)?.bytes }
  }

  /// The files in a folder of this machine.
  package init(inFolder folder: String) {
    name = folder
    read = { key in Disk.contents("\(folder)/\(key)", limit: ReadLimit.bytes(of: key)) }
  }

  /// The files at a public address, which `send` requests.
  package init(at url: String, send: @escaping SiteRequest.Send) {
    name = url
    read = { key in try SiteRequest("\(url)/\(key)", limit: ReadLimit.bytes(of: key)).file(by: send)
    }
  }

  /// Returns the same files, with `nearer` as a cache of their objects.
  ///
  /// An undamaged object of `nearer` is not read again. Every other object is passed to `keep`,
  /// which several threads may call at the same time.
  func copied(
    to nearer: PublishedFiles, keep: @escaping @Sendable (BakedObject, [UInt8]) throws -> Void
  ) -> PublishedFiles {
    PublishedFiles(name: name) { [read] key in
      guard let object = BakedObject(key: key) else { return try read(key) }
      if let bytes = try nearer.read(key), object.isHeld(by: bytes) { return bytes }
      let bytes = try read(key)
      if let bytes, object.isHeld(by: bytes) { try keep(object, bytes) }
      return bytes
    }
  }

  /// Returns the bytes of an object, which have the hash in its name.
  func object(_ object: BakedObject) throws -> [UInt8] {
    guard let bytes = try read(object.key) else {
      throw BakeError(.missing, "\(name) has no '\(object.key)', which its config leads to")
    }
    guard object.isHeld(by: bytes) else {
      throw BakeError(
        .missing, "'\(object.key)' at \(name) is not what its name says; is something on the way?")
    }
    return bytes
  }
}

/// The reason for which content cannot be baked.
package struct BakeError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The public address does not answer as it must.
    case unreachable
    /// A file is missing, or has other bytes.
    case missing
    /// A file is foreign, damaged, or of a newer version, or no app accepts the answer.
    case refused
    /// The channel has no such locale, device or bundle; the known names are given.
    case unknown(Rule, word: String, known: [String])
  }

  package let kind: Kind
  /// The problem and its remedy, as a sentence.
  package let description: String

  init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
