import ContentModel
import ContentSource
import PropertyLists

/// A builder of `build.plist`, which lists the sources and the objects of a build.
///
/// The record consists of parts, and each part is an object. An edit changes few parts, so a
/// publisher sends few.
struct BuildRecordBuilder: Sendable {
  let project: Project
  /// The names of all contexts.
  let contexts: [String]

  /// A part of the record: its subject and its object.
  struct Part: Hashable, Sendable {
    var name: String
    var digest: Digest
  }

  /// The part with the objects that show each entry of one datatype.
  ///
  /// `rests` are the ids without the datatype; `nil` for a withheld entry.
  func entries(_ rests: [String?], in objects: EntryObjects.Groups) throws -> OutputObject {
    let lists = objects.digests.map { digests in
      Value.array(digests.map { $0.value(in: project.format) })
    }
    return try object([
      "format": 1,
      "entries": .dictionary(
        Members(
          zip(rests, objects.places).compactMap { rest, place in rest.map { ($0, lists[place]) } })),
    ])
  }

  /// The part with the files of one folder; `nil` for none.
  func sources(_ files: [ContentTree.SourceFile]) throws -> OutputObject? {
    if files.isEmpty { return nil }
    let rows = files.map { file -> (String, Value) in
      let hash = file.digest.value(in: project.format)
      return (file.folderAndName.name, ["hash": hash, "size": .integer(Int64(file.size))])
    }
    return try object(["format": 1, "sources": .dictionary(Members(rows))])
  }

  /// The record itself; `objects` are all other objects.
  func record(
    entries: [Part], sources: [Part], objects: [(digest: Digest, fileExtension: String, size: Int)]
  ) throws -> OutputObject {
    let files = objects.map { object in
      (
        object.digest.hex,
        Value.dictionary([
          "extension": .string(object.fileExtension), "size": .integer(Int64(object.size)),
        ])
      )
    }
    return try object([
      "format": 1, "app": .string(project.app),
      "compiler": .string("contentc \(ContentcVersion.current)"),
      "contexts": .array(contexts.map(Value.string)), "entries": value(of: entries),
      "sources": value(of: sources),
      "objects": .dictionary(Members(files)),
    ])
  }

  private func value(of parts: [Part]) -> Value {
    .dictionary(Members(parts.map { ($0.name, $0.digest.value(in: project.format)) }))
  }

  private func object(_ value: Value) throws -> OutputObject {
    OutputObject(
      bytes: try PropertyList.encode(value, as: project.format),
      fileExtension: project.format.fileExtension,
      isCompressible: false)
  }
}

extension ContentTree.SourceFile {
  /// The folder and the name of the file; `.` for the content folder itself.
  var folderAndName: (folder: String, name: String) { Self.folderAndName(of: path) }

  static func folderAndName(of path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
  }
}
