import Synchronization
import System
import SystemC

extension BuildWriter {
  /// Links the staged objects under their other names, before any file moves, since the disk may
  /// become full.
  func stageLinks(of plan: inout AddedFiles) throws(StoreError) {
    var links: [Link] = []
    for path in plan.sortedPaths {
      guard case .link(let name, _)? = plan.files[path] else { continue }
      guard let object = plan.objects[name] else {
        throw .missingObject(path: path.text, object: name.path.text)
      }
      links.append(Link(path: path, name: name, object: object.plain))
    }
    for (path, file) in try staged(links) { plan.files[path] = file }
  }

  /// A file that is an object under another name.
  private struct Link: Sendable {
    let path: RelativePath
    let name: ObjectName
    let object: AddedFiles.Content
  }

  /// Stages the links of several folders at a time, since creating folders takes most of the time.
  private func staged(_ links: [Link]) throws(StoreError) -> [RelativePath: AddedFiles.File] {
    let folders = Array(Dictionary(grouping: links) { $0.path.folders.last }.values)
    let staged = try folders.mapOverlapped(atOnce: links.count < 64 ? 1 : 4) {
      [self] links throws(StoreError) in
      var staged: [(RelativePath, AddedFiles.File)] = []
      for link in links {
        let content = try stageLink(to: link.object, link.name, for: link.path)
        staged.append((link.path, .link(link.name, content)))
      }
      return staged
    }
    return Dictionary(staged.joined()) { $1 }
  }

  private func stageLink(
    to object: AddedFiles.Content, _ name: ObjectName, for path: RelativePath
  ) throws(StoreError) -> AddedFiles.Content {
    let source =
      switch object {
      case .staged(let number, _): stagedPath(number)
      case .inTree: pathInTree(name.path)
      case .pending, .absent, .kept: finalPath(name.path)
      }
    if isInNewTree(path) {
      let isStaged = try stageInTree(path) { file throws(StoreError) in
        try Self.link(source, as: file)
      }
      if isStaged { return .inTree(size: object.size) }
    }
    let target = finalPath(path)
    let there = try Disk.examine(target)
    if there.kind == .file, there.identity == (try Disk.examine(source).identity) {
      return .kept(size: object.size)
    }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Self.link(source, as: stagedPath(number))
    return .staged(number, size: object.size)
  }

  /// Links a file, or copies it if the file system has no hard links or no more of them for the
  /// file.
  private static func link(_ source: String, as path: String) throws(StoreError) {
    do {
      try Disk.link(source, as: path)
    } catch {
      if case .failed(_, _, let code) = error, code == ENOENT || code == EEXIST { throw error }
      guard let bytes = Disk.contents(source) else { throw error }
      try Disk.create(path, bytes: bytes)
    }
  }
}
