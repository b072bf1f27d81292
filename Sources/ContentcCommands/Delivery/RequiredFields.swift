import SourceYAML
import ContentModel
import ContentSource
import Diagnostics

/// Fields that a purge takes away although their datatype requires them.
struct RequiredFields {
  private let folder: ContentFolder

  /// Datatypes are read from a content folder, one by one; none where that cannot be opened.
  init?(_ input: ContentOptions) {
    guard let folder = try? input.unlisted() else { return nil }
    self.folder = folder
  }

  /// Warns of each required field among some paths, such as `badges.new.label`, of entries by ids
  /// or globs.
  ///
  /// A datatype whose file cannot be read requires nothing: an emergency does not wait for it.
  func warnings(_ paths: [String], of entries: [String]) -> [Diagnostic] {
    let names = Set(names: entries.compactMap(\.pathParts.first)).names
    return names.compactMap(datatype).flatMap { datatype in
      paths.compactMap { path in
        let field = Self.field(path.split(separator: ".").map(String.init)[...], in: datatype.shape)
        return field?.isRequired == true
          ? warning(path, of: datatype.name, declaredAt: field?.location) : nil
      }
    }
  }

  private func datatype(_ name: String) -> Datatype? {
    guard EntryID.isPart(name) else { return nil }
    for ending in ["yaml", "yml"] {
      let path = "datatypes/\(name).\(ending)"
      guard let bytes = try? folder.read(path) else { continue }
      return YAMLReader().read(bytes, path: folder.shownPath(path)).output.map {
        Datatype.read($0, name: name).output
      }
    }
    return nil
  }

  private static func field(_ path: ArraySlice<String>, in shape: ObjectShape) -> Field? {
    guard let name = path.first, let field = shape.fields.first(where: { $0.name == name }) else {
      return nil
    }
    var (kind, rest) = (field.kind, path.dropFirst())
    if rest.isEmpty { return field }
    // The key of a map, or an item's id.
    while true {
      switch kind {
      case .object(let shape): return self.field(rest, in: shape)
      case .list(let item), .map(let item):
        (kind, rest) = (item.kind, rest.dropFirst())
        if rest.isEmpty { return nil }
      default: return nil
      }
    }
  }

  private func warning(_ path: String, of datatype: String, declaredAt location: SourceLocation?)
    -> Diagnostic
  {
    Diagnostic(
      .warning, id: "required-field", at: nil,
      message: "'\(path)' is required in '\(datatype)': an app may refuse an entry without it",
      notes: [
        Diagnostic.Note(
          "--replace FILE gives readers another value; without --field, the whole entry is purged")
      ] + (location.map { [Diagnostic.Note("'\(path)' is declared here", at: $0)] } ?? []))
  }
}
