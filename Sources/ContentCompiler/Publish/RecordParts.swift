import ContentModel
import ContentSource

/// The parts of a build's record, each with what it is about.
struct RecordParts: Sendable {
  /// By datatype: the stretch of entries that it has.
  var entries: [Stretch] = []
  /// By folder: the files in it.
  var sources: [Folder] = []

  struct Stretch: Sendable {
    var datatype: String
    var entries: Range<Int>
    var object: OutputObject
  }

  struct Folder: Sendable {
    var path: String
    var files: [ContentTree.SourceFile]
    var object: OutputObject
  }

  /// The parts of a whole build; `ids` are those of all entries, in order.
  init(
    _ builder: BuildRecordBuilder, ids: [EntryID], _ objects: EntryObjects, sources files: [ContentTree.SourceFile]
  ) throws {
    entries = try Self.stretches(of: ids).concurrentMap { datatype, stretch in
      let object = try builder.entries(ids[stretch].map(\.rest), objects.groups(of: stretch))
      return Stretch(datatype: datatype, entries: stretch, object: object)
    }
    let byFolder = Dictionary(grouping: files) { ExactString($0.folderAndName.folder) }
    sources = try byFolder.keys.sorted().concurrentMap { path in
      let files = byFolder[path] ?? []
      return Folder(path: path.text, files: files, object: try builder.sources(files))
    }
  }

  /// Ids are in order, so that those of a datatype stand together.
  private static func stretches(of ids: [EntryID]) -> [(datatype: String, stretch: Range<Int>)] {
    var stretches: [(datatype: String, stretch: Range<Int>)] = []
    for (place, id) in ids.enumerated() {
      let datatype = id.datatype
      if let last = stretches.indices.last, stretches[last].datatype == datatype {
        stretches[last].stretch = stretches[last].stretch.lowerBound..<place + 1
      } else {
        stretches.append((datatype, place..<place + 1))
      }
    }
    return stretches
  }

  /// The objects of all parts.
  var objects: [OutputObject] { entries.map(\.object) + sources.map(\.object) }
}
