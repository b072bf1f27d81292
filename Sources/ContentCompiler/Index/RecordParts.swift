import ContentModel
import ContentSource
import System

/// The parts of a build record, each with its subject.
struct RecordParts: Sendable {
  /// The part of each datatype.
  var entries: [Stretch] = []
  /// The part of each folder.
  var sources: [Folder] = []

  struct Stretch: Sendable {
    var datatype: String
    var entries: Range<Int>
    var object: OutputObject
  }

  struct Folder: Sendable {
    var path: String
    /// Every file in the folder, including withheld ones.
    var files: [ContentTree.SourceFile]
    /// The object; `nil` if all files are withheld.
    var object: OutputObject?
  }

  /// Builds the parts of a whole build; `ids` are the ids of all entries, in order.
  ///
  /// The parts do not name entries with a true `isWithheld`, nor withheld files.
  init(
    by builder: BuildRecordBuilder, ids: [EntryID], isWithheld: [Bool],
    shownBy objects: EntryObjects,
    sources files: [ContentTree.SourceFile], withheldFiles: Set<ExactString>
  ) throws {
    entries = try Self.stretches(of: ids).concurrentMap { datatype, stretch in
      let rests = zip(ids[stretch], isWithheld[stretch]).map { $1 ? nil : $0.rest }
      let object = try builder.entries(rests, in: objects.groups(of: stretch))
      return Stretch(datatype: datatype, entries: stretch, object: object)
    }
    let byFolder = Dictionary(grouping: files) { ExactString($0.folderAndName.folder) }
    sources = try byFolder.keys.sorted().concurrentMap { path in
      let files = byFolder[path] ?? []
      let named = files.filter { !withheldFiles.contains(ExactString($0.path)) }
      return Folder(path: path.text, files: files, object: try builder.sources(named))
    }
  }

  /// The range of each datatype, since the ids are in order.
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
  var objects: [OutputObject] { entries.map(\.object) + sources.compactMap(\.object) }
}
