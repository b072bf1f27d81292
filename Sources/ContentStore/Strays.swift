import Parallel

/// Files of a build's folder that no longer belong to it.
struct Strays {
  private let writer: BuildWriter
  var paths: [RelativePath] = []
  /// Folders that hold nothing but strays, or nothing, by depth; one that holds more by then stays.
  var emptyFolders: [[RelativePath]] = []

  init(in writer: BuildWriter) { self.writer = writer }

  /// Objects, with the `.gz` files that stand beside them, and their folders if nothing else is in
  /// them.
  init(in writer: BuildWriter, objects: [ObjectName]) {
    self.writer = writer
    paths = objects.map(\.path).flatMap { [$0, $0.adding(".gz")] }.filter { size(of: $0) != nil }
    emptyFolders = [[], Set(paths.flatMap { $0.folders.dropFirst() }).sorted()]
  }

  /// How many bytes the files have, apart those of `.gz` files.
  var sizes: (plain: Int, compressed: Int) {
    var sizes = (plain: 0, compressed: 0)
    for path in paths {
      let size = size(of: path) ?? 0
      if path.text.hasSuffix(".gz") { sizes.compressed += size } else { sizes.plain += size }
    }
    return sizes
  }

  private func size(of path: RelativePath) -> Int? {
    FileStamp(at: writer.finalPath(path)).map { Int($0.size) }
  }

  /// Removes them, and says how many files and links that were.
  ///
  /// Several at a time: where the disk is told at once which blocks are free again, each takes
  /// milliseconds of waiting.
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
