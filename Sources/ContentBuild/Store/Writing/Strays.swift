import ContentModel
import System

/// Files in the folder of a build that are no part of it.
struct Strays {
  private let writer: BuildWriter
  var paths: [RelativePath] = []
  /// Folders without any other contents, by depth; a folder that is no longer empty is kept.
  var emptyFolders: [[RelativePath]] = []

  init(in writer: BuildWriter) { self.writer = writer }

  /// The files of objects, their `.gz` files, and their folders if they hold nothing else.
  init(in writer: BuildWriter, objects: [ObjectName]) {
    self.writer = writer
    paths = objects.map(\.path).flatMap { [$0, $0.adding(".gz")] }.filter { size(of: $0) != nil }
    emptyFolders = [[], Set(paths.flatMap { $0.folders.dropFirst() }).sorted()]
  }

  /// The sizes of the files, and of the `.gz` files.
  var sizes: (plain: Int, compressed: Int) {
    var sizes = (plain: 0, compressed: 0)
    for path in paths {
      let size = size(of: path) ?? 0
      if path.text.hasByteSuffix(".gz") { sizes.compressed += size } else { sizes.plain += size }
    }
    return sizes
  }

  private func size(of path: RelativePath) -> Int? {
    FileStamp(at: writer.finalPath(path)).map { Int($0.size) }
  }

  /// Removes the files and links; returns their number.
  ///
  /// Removes several files at a time, since each removal waits for milliseconds on disks that
  /// discard blocks at once.
  func remove() throws(StoreError) -> Int {
    let (writer, steps) = (writer, writer.steps)
    _ = try paths.mapOverlapped(atOnce: 8) { path throws(StoreError) in
      try steps.willPerform(.removeStray(path.text))
      try Disk.removeFile(writer.finalPath(path))
    }
    for folders in emptyFolders.reversed() {
      _ = try folders.mapOverlapped(atOnce: 8) { path throws(StoreError) in
        try steps.willPerform(.removeStray(path.text))
        _ = try Disk.removeEmptyFolder(writer.finalPath(path))
      }
    }
    return paths.count
  }
}
