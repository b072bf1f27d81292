package import ContentModel

extension FolderStamps {
  /// Appends the stamps in a form that `init(from:)` reads.
  package func encode(into output: inout ByteBuilder) {
    output.append(moment)
    output.append(UInt32(folders.count))
    for folder in folders {
      output.append(folder.path)
      output.append(folder.stamp, isSettled: folder.isSettled)
      output.append(UInt32(folder.items.count))
      for item in folder.items {
        output.append(counted: item.name)
        output.append(UInt8(item.stamp == nil ? 0 : item.isAlias ? 2 : 1))
        if let stamp = item.stamp { output.append(stamp, isSettled: item.isSettled) }
      }
    }
  }

  /// Reads what `encode` wrote.
  package init(from input: inout ByteReader) throws(ByteReader.Malformed) {
    let moment = try input.number(Int64.self)
    var folders: [Folder] = []
    for _ in 0..<(try input.count(ofAtLeast: 8)) {
      let path = try input.text()
      let (stamp, isSettled) = try input.stamp()
      var folder = Folder(path: path, stamp: stamp, isSettled: isSettled, items: [])
      let count = try input.count(ofAtLeast: 5)
      folder.items.reserveCapacity(count)
      for _ in 0..<count {
        let name = Array(try input.counted())
        let kind = try input.number(UInt8.self)
        guard kind > 0 else {
          folder.items.append(Item(name: name, stamp: nil, isSettled: true))
          continue
        }
        let (stamp, isSettled) = try input.stamp()
        folder.items.append(Item(name: name, stamp: stamp, isSettled: isSettled, isAlias: kind == 2))
      }
      folders.append(folder)
    }
    self.init(folders: folders, moment: moment)
  }
}

extension ByteBuilder {
  fileprivate mutating func append(_ stamp: FileStamp, isSettled: Bool) {
    append(stamp.size)
    append(stamp.modified)
    append(stamp.changed)
    append(stamp.inode)
    append(UInt8(isSettled ? 1 : 0))
  }
}

extension ByteReader {
  fileprivate mutating func stamp() throws(Malformed) -> (FileStamp, isSettled: Bool) {
    let stamp = FileStamp(
      size: try number(), modified: try number(), changed: try number(), inode: try number())
    return (stamp, try number(UInt8.self) == 1)
  }
}
