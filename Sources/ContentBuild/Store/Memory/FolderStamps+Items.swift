import ContentModel
import System

extension FolderStamps {
  /// One name in a folder.
  struct Item {
    enum Kind: UInt8 {
      case folder, file
      /// Another name of a file that occurs earlier in these stamps.
      case alias
    }

    /// The bytes are followed by a zero byte, for system calls.
    let name: UnsafeRawBufferPointer
    let kind: Kind
    /// Without meaning for a folder, whose stamp is in `Folder`.
    let stamp: FileStamp
    /// A Boolean value that indicates whether the stamp would have shown a later change.
    let isSettled: Bool
  }

  /// Calls back with each item of a folder and its offset; its name is valid during the call only.
  ///
  /// - Throws: errors of `body`, or `ByteReader.Malformed` for damaged bytes.
  func forEachItem(of folder: Folder, _ body: (Item, _ place: Int) throws -> Void) throws {
    try items.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer, at: folder.start)
      for _ in 0..<folder.count {
        let place = reader.offset
        try body(try reader.item(), place)
      }
    }
  }
}

extension ByteBuilder {
  /// Appends an item in the form that `ByteReader.item` reads.
  mutating func append(_ item: FolderStamps.Item) {
    append(item.kind.rawValue)
    append(item.stamp, isSettled: item.isSettled)
    append(counted: item.name)
    append(UInt8(0))
  }

  mutating func append(_ stamp: FileStamp, isSettled: Bool) {
    append(raw: stamp.bytes(isSettled: isSettled))
  }
}

extension ByteReader {
  mutating func item() throws(Malformed) -> FolderStamps.Item {
    guard let kind = FolderStamps.Item.Kind(rawValue: try number(UInt8.self)) else {
      throw Malformed()
    }
    let (stamp, isSettled) = try stamp()
    let name = try counted()
    guard try number(UInt8.self) == 0 else { throw Malformed() }
    return FolderStamps.Item(name: name, kind: kind, stamp: stamp, isSettled: isSettled)
  }

  mutating func stamp() throws(Malformed) -> (FileStamp, isSettled: Bool) {
    let stamp = FileStamp(
      size: try number(Int64.self), modified: try number(Int64.self),
      changed: try number(Int64.self),
      inode: try number(UInt64.self))
    return (stamp, try number(UInt8.self) == 1)
  }
}

extension FileStamp {
  /// The offset of a stamp in the bytes of an item.
  static let offsetInItem = 1

  /// The bytes that `ByteReader.stamp` reads.
  func bytes(isSettled: Bool) -> [UInt8] {
    var output = ByteBuilder()
    output.append(size)
    output.append(modified)
    output.append(changed)
    output.append(inode)
    output.append(UInt8(isSettled ? 1 : 0))
    return output.bytes
  }
}
