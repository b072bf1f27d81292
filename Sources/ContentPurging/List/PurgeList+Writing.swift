import ContentReleases
import ContentTargets

extension PurgeList {
  /// Lists the notes of one purge again, because other commands may have added some.
  ///
  /// - Throws: `TargetError`.
  func relisted(_ folder: PurgeFolder) throws -> ListedPurge {
    let earlier = purges.first { $0.folder == folder }
    let path = PurgeName.folder(of: place.channel)
    var purge = ListedPurge(folder)
    for key in try place.target.names(below: "\(path)\(folder.name)/") {
      guard case .note(let note, folder)? = PurgeName(key.utf8.dropFirst(path.utf8.count)) else {
        continue
      }
      purge.add(note)
    }
    if let manifest = earlier?.manifest { purge.add(manifest) }
    purge.isInHistory = earlier?.isInHistory ?? false
    return purge
  }

  /// Writes a note; a whole note of the same name counts, and a damaged one is replaced.
  ///
  /// - Throws: `DeliveryError` if the target does not have the note then, or one of a newer version;
  ///   `TargetError`.
  func put(_ note: PurgeNote, _ file: OutgoingFile, in folder: PurgeFolder) throws {
    let (target, key) = (place.target, PurgeName.note(note, in: folder).key(in: place.channel))
    var tag: String?
    for _ in 0..<3 {
      // A folder waits for the disk, unlike in `create`: no object may be gone before the note that
      // lists it is on the disk.
      if try target.replace(key, with: file, tagged: tag) {
        return try target.requireHeld(file, at: key, otherwise: "run the same command again")
      }
      let stored = try target.readAny(key)
      if let stored, note.fits(stored.bytes, in: folder),
        try NoteFormat.value(in: stored.bytes, at: place.location(of: key)) != nil
      {
        return
      }
      tag = stored?.tag
    }
    throw DeliveryError(
      .lost, "other commands are writing \(place.location(of: key)); run the same command again")
  }
}
