package import ContentModel
import Synchronization

extension BuildWriter {
  /// Keeps what an earlier build left, without looking at it: `stamps` are the folder's, and it is as they say.
  package func keep(
    objects: [(digest: Digest, fileExtension: String)], files: [String], of stamps: FolderStamps
  ) throws(StoreError) {
    let sizes = stamps.sizes
    var kept: [ObjectName: BuildPlan.Object] = [:]
    for (digest, fileExtension) in objects {
      let name = try ObjectName(digest, fileExtension)
      guard let size = sizes[name.path.text] else { throw .missingObject(path: name.path.text, object: name.path.text) }
      let compressed = sizes[name.path.adding(".gz").text].map { BuildPlan.Content.kept(size: $0) }
      kept[name] = BuildPlan.Object(plain: .kept(size: size), compressed: compressed ?? .absent)
    }
    var paths: [RelativePath] = []
    for path in files { paths.append(try RelativePath(path)) }
    plan.withLock { plan in
      plan.objects.merge(kept) { own, _ in own }
      for path in paths { plan.files[path] = .content(.kept(size: sizes[path.text] ?? 0)) }
    }
  }
}
