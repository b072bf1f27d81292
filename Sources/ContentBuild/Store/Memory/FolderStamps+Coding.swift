import ContentModel

extension FolderStamps {
  /// Appends the stamps in a form that `init(from:in:)` reads, up to the count of `items`, which
  /// follow.
  func encodeFolders(into output: inout ByteBuilder) {
    output.append(moment)
    output.append(UInt32(folders.count))
    for folder in folders {
      output.append(folder.path)
      output.append(folder.stamp, isSettled: folder.isSettled)
      output.append(UInt32(folder.count))
      output.append(UInt32(folder.start))
    }
    output.append(UInt32(items.count))
  }

  /// Reads a result of `encodeFolders` and the `items` after it; the stamps keep the bytes.
  init(from input: inout ByteReader, in bytes: [UInt8]) throws(ByteReader.Malformed) {
    let moment = try input.number(Int64.self)
    var folders: [Folder] = []
    let count = try input.count(ofAtLeast: 45)
    folders.reserveCapacity(count)
    for _ in 0..<count {
      let path = try input.text()
      let (stamp, isSettled) = try input.stamp()
      folders.append(
        Folder(
          path: path, stamp: stamp, isSettled: isSettled, count: Int(try input.number(UInt32.self)),
          start: Int(try input.number(UInt32.self))))
    }
    self.init(folders: folders, items: try input.slice(of: bytes), moment: moment)
  }
}

extension ByteReader {
  /// Reads a count and as many bytes, as a slice of the array that is read.
  mutating func slice(of bytes: [UInt8]) throws(Malformed) -> ArraySlice<UInt8> {
    let count = try counted().count
    return bytes[offset - count..<offset]
  }
}
