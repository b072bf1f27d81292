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
    let source = if case .staged(let number, _) = object { stagedPath(number) } else { finalPath(name.path) }
    let target = finalPath(path)
    let there = try Disk.examine(target)
    if there.kind == .file, there.identity == (try Disk.examine(source).identity) { return .kept(size: object.size) }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    do {
      try Disk.link(source, as: stagedPath(number))
    } catch {
      // The file system has no hard links, or the object has as many as it can have.
      guard let bytes = Disk.contents(source) else { throw error }
      if Disk.holds(bytes, at: target) { return .kept(size: bytes.count) }
      try Disk.create(stagedPath(number), bytes)
    }
    return .staged(number, size: object.size)
  }
}
