import ContentModel
package import ContentSource
package import Diagnostics
import YAML

/// A check for purged fields that their datatype requires.
package struct RequiredFields {
  private let folder: ContentFolder

  /// Creates a check for a content folder, whose datatypes are read one by one.
  package init(in folder: ContentFolder) { self.folder = folder }

  /// Returns a warning for each required field among paths such as `badges.new.label`, in entries
  /// that are named by ids or globs.
  ///
  /// A datatype whose file cannot be read gives no warning: it must not delay an emergency.
  package func warnings(_ paths: [String], of entries: [String]) -> [Diagnostic] {
    let names = Set(names: entries.compactMap(\.pathParts.first)).names
    return names.compactMap(datatype).flatMap { datatype in
      paths.compactMap { path in
        let field = Self.field(
          path.split(separator: ".").map { ExactString(String($0)) }[...], in: datatype.shape)
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

  /// Returns the declaration of the field at a path; `nil` for an unknown field or an item.
  private static func field(_ path: ArraySlice<ExactString>, in shape: ObjectShape) -> Field? {
    guard let name = path.first, let field = shape.fields.first(where: { $0.name == name }) else {
      return nil
    }
    var kind = field.kind
    var rest = path.dropFirst()
    if rest.isEmpty { return field }
    while true {
      switch kind {
      case .object(let shape): return self.field(rest, in: shape)
      case .list(let item), .map(let item):
        // The next part of the path is the id of an item, or the key of a map.
        kind = item.kind
        rest = rest.dropFirst()
        if rest.isEmpty { return nil }
      case .scalar, .any, .markdown, .plural, .catalog: return nil
      }
    }
  }

  private func warning(_ path: String, of datatype: String, declaredAt location: SourceLocation?)
    -> Diagnostic
  {
    Diagnostic(
      .warning, rule: .requiredField, at: nil,
      message: "'\(path)' is required in '\(datatype)': an app may refuse an entry without it",
      notes: [
        Diagnostic.Note(
          "--replace FILE gives readers another value; without --field, the whole entry is purged")
      ] + (location.map { [Diagnostic.Note("'\(path)' is declared here", at: $0)] } ?? []))
  }
}
