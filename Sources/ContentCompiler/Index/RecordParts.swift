import Parallel
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
    /// Every file in it, those among them that an embargo withholds.
    var files: [ContentTree.SourceFile]
    /// `nil` where all of its files are withheld.
    var object: OutputObject?
  }

  /// The parts of a whole build; `ids` are those of all entries, in order.
  ///
  /// Withheld content is not named: entries for which `isWithheld` is true, and files by their
  /// paths.
  init(
    _ builder: BuildRecordBuilder, ids: [EntryID], isWithheld: [Bool], _ objects: EntryObjects,
    sources files: [ContentTree.SourceFile], withheldFiles: Set<ExactString>
  ) throws {
    entries = try Self.stretches(of: ids).concurrentMap { datatype, stretch in
      let rests = zip(ids[stretch], isWithheld[stretch]).map { $1 ? nil : $0.rest }
      let object = try builder.entries(rests, objects.groups(of: stretch))
      return Stretch(datatype: datatype, entries: stretch, object: object)
    }
    let byFolder = Dictionary(grouping: files) { ExactString($0.folderAndName.folder) }
    sources = try byFolder.keys.sorted().concurrentMap { path in
      let files = byFolder[path] ?? []
      let named = files.filter { !withheldFiles.contains(ExactString($0.path)) }
      return Folder(path: path.text, files: files, object: try builder.sources(named))
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
  var objects: [OutputObject] { entries.map(\.object) + sources.compactMap(\.object) }
}
