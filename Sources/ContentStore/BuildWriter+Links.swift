#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

extension BuildWriter {
  /// Links the staged objects under their other names, while nothing has moved: this takes room, which may run out.
  func stageLinks(of plan: inout BuildPlan) throws(StoreError) {
    for path in plan.sortedPaths {
      guard case .link(let name, _)? = plan.files[path] else { continue }
      guard let object = plan.objects[name] else {
        throw .missingObject(path: path.text, object: name.path.text)
      }
      plan.files[path] = .link(name, try stageLink(to: object.plain, name, for: path))
    }
  }

  private func stageLink(
    to object: BuildPlan.Content, _ name: ObjectName, for path: RelativePath
  ) throws(StoreError) -> BuildPlan.Content {
    let source =
      switch object {
      case .staged(let number, _): stagedPath(number)
      case .planted: plantedPath(name.path)
      case .claimed, .absent, .kept: finalPath(name.path)
      }
    if isInNewTree(path) {
      let isPlanted = try plant(path) { file throws(StoreError) in try Self.link(source, as: file) }
      if isPlanted { return .planted(size: object.size) }
    }
    let target = finalPath(path)
    let there = try Disk.examine(target)
    if there.kind == .file, there.identity == (try Disk.examine(source).identity) { return .kept(size: object.size) }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Self.link(source, as: stagedPath(number))
    return .staged(number, size: object.size)
  }

  /// Links, or copies where the file system has no hard links, or the object has as many as it can have.
  private static func link(_ source: String, as path: String) throws(StoreError) {
    do {
      try Disk.link(source, as: path)
    } catch {
      if case .failed(_, _, let code) = error, code == ENOENT || code == EEXIST { throw error }
      guard let bytes = Disk.contents(source) else { throw error }
      try Disk.create(path, bytes)
    }
  }
}
