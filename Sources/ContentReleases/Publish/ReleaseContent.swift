package import ContentModel
package import ContentTargets
import PropertyLists

/// The content of a release, from a build's folder or from a release at a target.
package struct ReleaseContent: Sendable {
  /// The content's part of config: indexes, locales, devices, maintenance payloads, and so on.
  package var members: Members
  package var format: PropertyListFormat
  /// Every object that is reachable, the build's record among them.
  package var objects: [ReleaseObject]
  /// An object, checked against its name.
  package var file: @Sendable (ReleaseObject) throws -> OutgoingFile

  package init(
    members: Members, format: PropertyListFormat, objects: [ReleaseObject],
    file: @escaping @Sendable (ReleaseObject) throws -> OutgoingFile
  ) {
    (self.members, self.format, self.objects, self.file) = (members, format, objects, file)
  }

  /// The dates in its bundles, which its record keeps, so that a look at the channel can name the
  /// next one.
  package var dates: [Instant] {
    get { (members["dates"]?.items ?? []).compactMap(\.instant) }
    set { members["dates"] = newValue.isEmpty ? nil : .array(newValue.map(Value.date)) }
  }

  /// The app that it is for.
  package var app: String { members["app"]?.text ?? "" }

  /// The keys of config that are no part of the content.
  static let ownKeys = ["channel", "release", "issued", "record", "purge"]

  /// Returns whether readers would see the same: every index and payload, and all other members of
  /// config.
  func isSame(as other: Members) -> Bool {
    // Content that is published again has no maintenance texts: the live ones stay.
    let hasPayloads = members["maintenance"] != nil
    func shown(_ members: Members) -> Members {
      var shown = members
      for key in Self.ownKeys + [
        "of", "previous", "message", "run", "by", "objects", "build", "dates",
      ] {
        shown[key] = nil
      }
      shown["maintenance"] =
        hasPayloads ? MaintenanceSwitch.usual(of: shown["maintenance"])["payloads"] : nil
      return shown
    }
    return shown(members) == shown(other)
  }
}

extension ReleaseContent {
  /// A finished build in its output folder; `body` gives what a file below it holds, `nil` if it
  /// cannot be read, and throws for one of more than `limit` bytes.
  ///
  /// - Throws: `DeliveryError` if the folder holds no whole build, and what `body` throws.
  package init(
    built folder: String,
    body: @escaping @Sendable (_ path: String, _ limit: Int) throws -> FileBody?
  ) throws {
    let limit = ReadLimit.config
    guard
      let bytes = try (body("preview/config.plist", limit) ?? body("preview/config.json", limit))?
        .bytes(limit: limit)
    else {
      throw DeliveryError(.unknown, "'\(folder)' holds no build; run 'contentc build' first")
    }
    @Sendable func broken(_ what: String) -> DeliveryError {
      DeliveryError(
        .unknown, "'\(folder)' holds no whole build: \(what); run 'contentc build' to repair it")
    }
    guard let (value, format) = try? PropertyList.decode(bytes), let members = value.members,
      let build = members["build"]?.digest
    else { throw broken("its config cannot be read") }
    let fileExtension = format.fileExtension
    let record = ReleaseObject(digest: build, fileExtension: fileExtension, size: 0)
    guard let recordBytes = try body(record.key, ReadLimit.record)?.bytes(limit: ReadLimit.record),
      let objects = ReleaseObject.readAll((try? PropertyList.decode(recordBytes))?.value["objects"])
    else { throw broken("'\(record.key)' is missing or damaged") }
    let own = ReleaseObject(digest: build, fileExtension: fileExtension, size: recordBytes.count)
    self.init(members: members, format: format, objects: objects + [own]) { object in
      guard let plain = try? body(object.key, object.size), plain.digest == object.digest else {
        throw broken("'\(object.key)' is missing or damaged")
      }
      let gzip = try? body("\(object.key).gz", object.size)
      let compressed = try gzip.flatMap { try $0.isCompressed(from: plain) ? $0 : nil }
      return OutgoingFile(body: plain, compressed: compressed, headers: object.headers)
    }
  }
}
