#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension BuildWriter {
  /// Makes the folders that the build's files go to, before the first file moves: what stands in their way is found
  /// while nothing has changed.
  func makeFolders(of plan: BuildPlan, and config: RelativePath) throws(StoreError) {
    var folders = Set(config.folders)
    for name in plan.objects.keys { folders.formUnion(name.path.folders) }
    for path in plan.files.keys { folders.formUnion(path.folders) }
    // By code point, a folder comes before what is in it.
    for path in folders.sorted() { try makeFolder(finalPath(path)) }
  }

  private func makeFolder(_ path: String) throws(StoreError) {
    switch try Disk.examine(path).kind {
    case .folder: break
    case .symbolicLink: throw .symbolicLink(path: path)
    case .file, .other: throw .failed(.createFolder, path: path, errno: ENOTDIR)
    case .nothing:
      try steps.willPerform(.makeFolder(path))
      try Disk.makeFolder(path)
    }
  }
}
