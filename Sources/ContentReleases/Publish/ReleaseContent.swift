package import ContentModel
package import ContentTargets
import PropertyLists

/// The content of a release, from a build's folder or from a release at a target.
package struct ReleaseContent: Sendable {
  /// The content's part of config: indexes, locales, devices, maintenance payloads, and so on.
  package var members: Members
  package var format: PropertyListFormat
  /// Every reachable object, including the build's record.
  package var objects: [ReleaseObject]
  /// Returns the file of an object, checked against its name.
  package var file: @Sendable (ReleaseObject) throws -> OutgoingFile
  /// The most files to read at the same time.
  package var readsAtOnce = 4

  package init(
    members: Members, format: PropertyListFormat, objects: [ReleaseObject],
    file: @escaping @Sendable (ReleaseObject) throws -> OutgoingFile
  ) {
    (self.members, self.format, self.objects, self.file) = (members, format, objects, file)
  }

  /// The dates in the bundles; the record keeps them, so that `contentc status` can name the next
  /// one.
  ///
  /// In a rollout, these are the dates of both sides.
  package var dates: [Instant] {
    get { members.datesOfContent }
    set {
      members["dates"] = newValue.isEmpty ? nil : .array(newValue.map(Value.date))
      if var next = members["next"]?.members {
        next["dates"] = nil
        members["next"] = .dictionary(next)
      }
    }
  }

  /// The app of the content.
  package var app: String { members["app"]?.text ?? "" }

  /// Returns whether readers would see the same content: the same indexes, payloads and other
  /// members of config.
  package func isSame(as other: Members) -> Bool {
    // Content of an earlier release has no maintenance texts: the live ones stay.
    let hasPayloads = members["maintenance"] != nil
    func shown(_ members: Members) -> Members {
      var shown = members
      // The keys about the publication, and those that only tools read.
      for key in ReleaseRecord.keysOfConfig + ReleaseRecord.sharedKeys + ReleaseRecord.ownKeys
        + ["build", "dates"]
      {
        shown[key] = nil
      }
      if var next = shown["next"]?.members {
        shown["ttl"] = Draft.ttl(of: shown["ttl"], and: next["ttl"])
        for key in ["build", "dates", "maintenance", "release", "ttl"] { next[key] = nil }
        shown["next"] = .dictionary(next)
      }
      shown["maintenance"] =
        hasPayloads ? MaintenanceSwitch.usual(of: members["maintenance"])["payloads"] : nil
      return shown
    }
    return shown(members) == shown(other)
  }
}

extension ReleaseContent {
  /// Reads a finished build in its output folder.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder for messages.
  ///   - body: Returns the content of a file below the folder, `nil` if it cannot be read; throws
  ///     for a file of more than `limit` bytes.
  /// - Throws: `DeliveryError` if the folder holds no whole build; the errors of `body`.
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
    let decoded = try? PropertyList.decode(bytes)
    let newer = DeliveryError(
      newer: decoded?.value["format"], above: LiveRelease.knownFormat,
      at: "the build in '\(folder)'")
    if let newer { throw newer }
    guard let (value, format) = decoded, let members = value.members,
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

extension Members {
  /// The dates in the bundles of a record, on both sides of a rollout.
  var datesOfContent: [Instant] {
    let dates = [self["dates"], self["next"]?["dates"]].flatMap { $0?.items ?? [] }
    return Set(dates.compactMap(\.instant)).sorted()
  }
}
