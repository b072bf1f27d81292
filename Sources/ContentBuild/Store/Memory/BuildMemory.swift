package import ContentModel

/// The record of the last build: the files that it read and wrote, and its messages.
///
/// A record may be old, damaged or of another folder. A build uses it only if its checksum and its
/// key are right, and the stamps in it show which files changed. So a wrong record costs time, but
/// never changes the output.
package struct BuildMemory: Sendable {
  /// The compiler, folders and flags, which must be the same for the memory to be valid.
  package var key: String
  package var content: FolderStamps
  package var output: FolderStamps
  /// The SHA-256 of each content file that the build read, by path.
  ///
  /// A build compares the hash with the file if the stamp has changed. It also does so if the stamp
  /// is not settled: such a stamp may not show a later change. A `WarmBuild` continues only after
  /// edits of these files.
  package var digests: FileDigests
  /// The first moment at which a build gives the same output; `nil` without such a limit.
  package var validFrom: Instant?
  /// The moment from which a build may give other output; `nil` without such a limit.
  package var validBefore: Instant?
  /// The encoded facts that the builder adds.
  package var notes: [UInt8]

  package init(
    key: String, content: FolderStamps, output: FolderStamps, digests: FileDigests,
    validFrom: Instant?,
    validBefore: Instant?, notes: [UInt8]
  ) {
    (self.key, self.content, self.output, self.digests) = (key, content, output, digests)
    (self.validFrom, self.validBefore, self.notes) = (validFrom, validBefore, notes)
  }

  /// Returns `true` if a build for a moment gives the remembered output.
  package func isValid(at instant: Instant) -> Bool {
    (validFrom.map { $0 <= instant } ?? true) && (validBefore.map { instant < $0 } ?? true)
  }
}

extension BuildMemory {
  private static let magic = Array("contentc memory 4\n".utf8)

  /// The memory as bytes that begin with their checksum, in pieces so that large parts are not
  /// copied.
  package func encoded() -> [ArraySlice<UInt8>] {
    var (start, middle, end, last) = (ByteBuilder(), ByteBuilder(), ByteBuilder(), ByteBuilder())
    start.append(key)
    content.encodeFolders(into: &start)
    output.encodeFolders(into: &middle)
    end.append(UInt32(digests.bytes.count))
    for moment in [validFrom, validBefore] {
      last.append(UInt8(moment == nil ? 0 : 1))
      last.append((moment?.secondsSinceReferenceDate ?? 0).bitPattern)
    }
    last.append(counted: notes)
    let body = [
      start.bytes[...], content.items, middle.bytes[...], output.items, end.bytes[...],
      digests.bytes, last.bytes[...],
    ]
    var (sum, head) = (Checksum(), ByteBuilder())
    for piece in body { piece.withUnsafeBytes { sum.update($0) } }
    head.append(sum.value)
    return [Self.magic[...], head.bytes[...]] + body
  }

  /// Reads a result of `encoded`; returns `nil` for other bytes.
  package init?(_ bytes: [UInt8]) {
    let head = Self.magic.count + 8
    guard bytes.count > head, bytes.starts(with: Self.magic) else { return nil }
    let memory: BuildMemory? = bytes.withUnsafeBytes { buffer in
      var sum = Checksum()
      sum.update(UnsafeRawBufferPointer(rebasing: buffer[head...]))
      var reader = ByteReader(buffer, at: Self.magic.count)
      guard (try? reader.number(UInt64.self)) == sum.value else { return nil }
      return try? BuildMemory(from: &reader, in: bytes)
    }
    guard let memory else { return nil }
    self = memory
  }

  private init(from reader: inout ByteReader, in bytes: [UInt8]) throws(ByteReader.Malformed) {
    key = try reader.text()
    content = try FolderStamps(from: &reader, in: bytes)
    output = try FolderStamps(from: &reader, in: bytes)
    digests = FileDigests(bytes: try reader.slice(of: bytes))
    validFrom = try Self.moment(from: &reader)
    validBefore = try Self.moment(from: &reader)
    notes = Array(try reader.counted())
    guard reader.isAtEnd else { throw ByteReader.Malformed() }
  }

  private static func moment(from reader: inout ByteReader) throws(ByteReader.Malformed) -> Instant?
  {
    let isThere = try reader.number(UInt8.self) == 1
    let bits = try reader.number(UInt64.self)
    return isThere ? Instant(secondsSinceReferenceDate: Double(bitPattern: bits)) : nil
  }
}

extension BuildMemory {
  /// Returns the paths of the content files that may have changed; `nil` if files were added or
  /// removed.
  ///
  /// If no file has changed, the result also shows if the output is as the build left it.
  package func compare(content root: String, output: String) -> (
    changed: [String]?, isSameOutput: Bool?
  ) {
    let found = FolderStamps.differences([
      FolderStamps.ComparedFolder(content, of: root, ignoring: .dotfiles),
      FolderStamps.ComparedFolder(self.output, of: output, ignoring: .guests),
    ])
    guard case .files(let changed)? = found.first else { return (nil, nil) }
    return (changed, found.count == 2 ? found[1] == .nothing : nil)
  }

  /// Returns `true` if the output is unchanged since the build; `whileBuilding`, it may also have a
  /// staging folder.
  package func hasSameOutput(in root: String, whileBuilding: Bool) -> Bool {
    output.difference(of: root, ignoring: whileBuilding ? .guestsAndStaging : .guests) == .nothing
  }
}
