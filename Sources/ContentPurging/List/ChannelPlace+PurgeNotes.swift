import ContentModel
package import ContentReleases
import ContentTargets
import System

extension LiveRelease {
  /// The hash of the `begun` of the last purge; `nil` if config names none.
  var lastBegun: Digest? { purge?["list"]?.digest }

  /// The hashes of the `begun` of purges whose loss a publisher accepted.
  var acceptedLosses: [Digest] { purge?.acceptedLosses ?? [] }
}

extension Value {
  /// Those hashes in config's block `purge`.
  var acceptedLosses: [Digest] { (self["lost"]?.items ?? []).compactMap(\.digest) }
}

/// Notes of purges, each of which is created and never changed.
extension ChannelPlace {
  /// Reads a note; `nil` if it is gone or damaged.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  func read<Content: NoteContent>(_ note: PurgeNote, in folder: PurgeFolder) throws -> Content? {
    let key = PurgeName.note(note, in: folder).key(in: channel)
    guard let stored = try target.readAny(key), note.fits(stored.bytes, in: folder) else {
      return nil
    }
    return try Content.read(stored.bytes, at: location(of: key))
  }

  /// Reads the objects that a purge removes: those of `begun` and of its `copies-` notes, without the
  /// objects that stay, as its `done-` note says.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  func objects(of purge: KnownPurge) throws -> [ReleaseObject] {
    let (folder, copies) = (purge.listed.folder, purge.listed.notes.copies)
    if copies.isEmpty { return purge.begun.objects }
    let found = try copies.mapOverlapped { try read($0, in: folder) as CopiesNote? }
    let done: DoneNote? =
      purge.listed.state == .finished ? try read(.done(naming: copies), in: folder) : nil
    var seen = Set(done?.kept ?? [])
    return (purge.begun.objects + found.compactMap(\.self).flatMap(\.objects)).filter {
      seen.insert($0.digest).inserted
    }
  }

  /// Reads the objects that caches must forget after some purges, each once.
  ///
  /// - Throws: `DeliveryError` for a note that is missing, damaged or of a newer version; `TargetError`.
  package func objectsInCaches(of purges: [KnownPurge]) throws -> [ReleaseObject] {
    var known: Set<ReleaseObject> = []
    return try purges.mapOverlapped { try objectsInCaches(of: $0) }.joined().filter {
      known.insert($0).inserted
    }
  }

  /// Reads the objects that caches must forget after a purge: all of `begun` and of its `copies-` notes.
  ///
  /// - Throws: `DeliveryError` for a note that is missing, damaged or of a newer version; `TargetError`.
  func objectsInCaches(of purge: KnownPurge) throws -> [ReleaseObject] {
    let found = try purge.listed.notes.copies.mapOverlapped { note in
      if let copies: CopiesNote = try read(note, in: purge.listed.folder) { return copies.objects }
      let key = PurgeName.note(note, in: purge.listed.folder).key(in: channel)
      throw DeliveryError(
        .missing, "\(location(of: key)) is missing or damaged; put the file of a backup back")
    }
    return purge.begun.objects + found.joined()
  }

  /// Returns whether the record of a release, which is live or was live before the live one, proves a
  /// manifest of format 1.
  ///
  /// - Throws: `DeliveryError` if a record is damaged; `TargetError`.
  func recordProves(_ begun: Begun) throws -> Bool {
    var chain = try chain()
    while let record = try chain.next(), record.number >= begun.release {
      if record.digest == begun.record {
        return try record.number == begun.release && record.purgeOrder == begun.orderDigest
      }
    }
    return false
  }

  /// Takes a number for a purge, exclusively where the target can.
  ///
  /// - Returns: `false` if another purge has taken the number.
  /// - Throws: `DeliveryError` if the target does not have the file then; `TargetError`.
  func take(_ number: Int) throws -> Bool {
    let (key, file) = (
      PurgeName.number(number).key(in: channel), try NoteFormat.numberFile(number)
    )
    guard try target.create(key, as: file) else { return false }
    try target.requireHeld(file, at: key, otherwise: "nothing was changed; run again")
    return true
  }

  /// Reads the note `begun`, and its hash; `nil` if the note is gone or damaged.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  func readBegun(in folder: PurgeFolder) throws -> (begun: Begun, hash: Digest)? {
    let key = PurgeName.note(.begun, in: folder).key(in: channel)
    guard let stored = try target.readAny(key) else { return nil }
    let hash = Digest(of: stored.bytes)
    guard hash.shortHex == folder.digits else { return nil }
    return try Begun.read(stored.bytes, at: location(of: key)).map { ($0, hash) }
  }

  /// Writes the note `begun` of a purge; the caller has taken the purge's number.
  ///
  /// - Throws: `DeliveryError` if the target does not have the note then; `TargetError`.
  func write(_ begun: Begun) throws -> KnownPurge {
    let file = try begun.file
    let hash = Digest(of: try file.body.bytes)
    var listed = ListedPurge(PurgeFolder(number: begun.number, of: hash))
    try put(.begun, file, of: &listed)
    return KnownPurge(listed: listed, begun: begun, hash: hash)
  }

  /// Writes the note `begun` of a purge that was drafted, and takes its number if no file has the number.
  ///
  /// A draft cannot take its number earlier. If another purge has the number, the swap of config decides.
  ///
  /// - Throws: `DeliveryError` if the bytes are no such note, or if the target does not have the note then;
  ///   `TargetError`.
  func write(begun bytes: [UInt8]) throws -> KnownPurge {
    let begun = try Begun.read(bytes, at: "the draft's 'begun'")
    guard let begun, try begun.file.body.bytes == bytes, begun.app == app, begun.channel == channel
    else {
      throw DeliveryError(
        .refused, "the draft's 'begun' is not that of a purge of '\(channel)'; nothing was changed")
    }
    _ = try take(begun.number)
    return try write(begun)
  }

  /// Notes that readers get config with a purge, which the live release's config names.
  ///
  /// - Throws: `DeliveryError` if the target does not have the note then; `TargetError`.
  func noteLive(_ listed: inout ListedPurge, by live: LiveRelease) throws {
    if listed.notes.contains(.live) || live.lastBegun?.shortHex != listed.folder.digits { return }
    try put(.live, LiveNote(config: signing == nil ? nil : live.bytes).file, of: &listed)
  }

  /// Notes all objects that a purge may remove.
  ///
  /// - Returns: The key of the note.
  /// - Throws: `DeliveryError` if the target does not have the note then; `TargetError`.
  func noteCopies(_ objects: [ReleaseObject], of listed: inout ListedPurge) throws -> String {
    let file = try CopiesNote(objects: objects).file
    let note = PurgeNote.copies(Digest(of: try file.body.bytes).shortHex)
    // A failure may have cut a note that is listed.
    try put(note, file, of: &listed)
    return PurgeName.note(note, in: listed.folder).key(in: channel)
  }

  /// Writes a note; a whole note of the same name counts, and a damaged one is replaced.
  ///
  /// - Throws: `DeliveryError` if the target does not have the note then, or one of a newer version;
  ///   `TargetError`.
  func put(_ note: PurgeNote, _ file: OutgoingFile, of listed: inout ListedPurge) throws {
    let key = PurgeName.note(note, in: listed.folder).key(in: channel)
    var tag: String?
    for _ in 0..<3 {
      // A folder waits for the disk, unlike in `create`: no object may be gone before the note that
      // lists it is on the disk.
      if try target.replace(key, with: file, tagged: tag) {
        try target.requireHeld(file, at: key, otherwise: "run the same command again")
        return listed.add(note)
      }
      let stored = try target.readAny(key)
      if let stored, note.fits(stored.bytes, in: listed.folder),
        try NoteFormat.value(in: stored.bytes, at: location(of: key)) != nil
      {
        return listed.add(note)
      }
      tag = stored?.tag
    }
    throw DeliveryError(
      .lost, "other commands are writing \(location(of: key)); run the same command again")
  }

  /// Lists the notes of one purge again, because other commands may have added some.
  ///
  /// - Throws: `TargetError`.
  func relist(_ listed: inout ListedPurge) throws {
    let path = PurgeName.folder(of: channel)
    for key in try target.names(below: "\(path)\(listed.folder.name)/") {
      if case .note(let note, _)? = PurgeName(key.utf8.dropFirst(path.utf8.count)) {
        listed.add(note)
      }
    }
  }
}
