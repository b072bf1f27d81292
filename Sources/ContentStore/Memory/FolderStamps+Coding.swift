package import ContentModel

extension FolderStamps {
  /// Appends the stamps in a form that `init(from:)` reads.
  package func encode(into output: inout ByteBuilder) {
    output.append(moment)
    output.append(UInt32(folders.count))
    for folder in folders {
      output.append(folder.path)
      output.append(UInt32(folder.items.count))
      for item in folder.items {
        output.append(counted: item.name)
        output.append(UInt8(item.stamp == nil ? 0 : item.isSettled ? 1 : 2))
        guard let stamp = item.stamp else { continue }
        output.append(stamp.size)
        output.append(stamp.modified)
        output.append(stamp.changed)
        output.append(stamp.inode)
      }
    }
  }

  /// Reads what `encode` wrote.
  package init(from input: inout ByteReader) throws(ByteReader.Malformed) {
    let moment = try input.number(Int64.self)
    var folders: [Folder] = []
    for _ in 0..<(try input.count(ofAtLeast: 8)) {
      var folder = Folder(path: try input.text(), items: [])
      let count = try input.count(ofAtLeast: 5)
      folder.items.reserveCapacity(count)
      for _ in 0..<count {
        let name = Array(try input.counted())
        let kind = try input.number(UInt8.self)
        guard kind > 0 else {
          folder.items.append(Item(name: name, stamp: nil, isSettled: true))
          continue
        }
        let stamp = FileStamp(
          size: try input.number(), modified: try input.number(), changed: try input.number(),
          inode: try input.number())
        folder.items.append(Item(name: name, stamp: stamp, isSettled: kind == 1))
      }
      folders.append(folder)
    }
    self.init(folders: folders, moment: moment)
  }
}
