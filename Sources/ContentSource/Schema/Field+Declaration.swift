import ContentModel
package import Diagnostics
import YAML

// The declarations that values break: one wrong declaration explains many errors.
extension Field {
  /// The field's declaration, if a value does not fit it for no other known reason.
  func declaration(brokenBy diagnostic: Diagnostic) -> Diagnostic.Declaration? {
    guard let location, diagnostic.rule.traits.contains(.declarationMayBeWrong),
      diagnostic.fixIt == nil || kind.isCollection
    else { return nil }
    return Diagnostic.Declaration(
      at: location,
      summary:
        "values of '\(name)' do not fit this declaration, a '\(kind.type.name)'; correct it, or the values",
      needsMajority: true)
  }

  /// The declaration of a field that overlays must not hold.
  var declarationWithoutLocalization: Diagnostic.Declaration? {
    location.map {
      Diagnostic.Declaration(
        at: $0,
        summary:
          "values of '\(name)' are in overlays for locales; add 'localized: true' here, or delete them"
      )
    }
  }
}

extension ObjectShape {
  /// The declaration of a shape that lacks a field.
  func declaration(without field: String, nearest: String?, of name: String)
    -> Diagnostic.Declaration?
  {
    guard let location else { return nil }
    let advice = nearest.map { "write '\($0)'" } ?? "delete it"
    let summary =
      "places hold the field '\(field)', which \(name) does not declare; declare it here, or \(advice) there"
    // Some values may have the same slip; a name that is near none is probably a lost declaration.
    guard let nearest else { return Diagnostic.Declaration(missingAt: location, summary: summary) }
    return self.field(ExactString(nearest))?.location.map {
      Diagnostic.Declaration(at: $0, summary: summary)
    }
  }
}

extension LayerCheck.KnownNames {
  /// The missing asset, or the folder that its path begins with if that holds no asset at all.
  func declaration(ofMissing asset: String, nearest: String?) -> Diagnostic.Declaration {
    let parts = asset.split(separator: "/")
    let folder = assetList.isEmpty || parts.count < 2 ? "" : "\(parts[0])/"
    let hasOthers = folder.isEmpty ? !assetList.isEmpty : assetFolders.contains(String(parts[0]))
    guard !hasOthers else {
      return Diagnostic.Declaration(
        missingAt: nil,
        summary:
          "values name the asset '\(asset)', which 'assets/' lacks; add the file, or \(nearest.map { "write '\($0)'" } ?? "correct the values")"
      )
    }
    return Diagnostic.Declaration(
      missingAt: nil,
      summary:
        "values name assets in 'assets/\(folder)', which holds none; add the files, or correct the values"
    )
  }
}

extension Diagnostic.Declaration {
  /// The missing datatype of content or of references.
  static func missing(datatype name: String, among known: [String]) -> Self {
    let advice = name.nearest(among: known).map { "write '\($0)' there" } ?? "correct them"
    return Self(
      missingAt: nil,
      summary:
        "places name the datatype '\(name)', which no file declares; add 'datatypes/\(name).yaml', or \(advice)"
    )
  }

  /// The missing files of a datatype's entries, which have overlays only.
  static func missing(filesOf datatype: String) -> Self {
    Self(
      missingAt: nil,
      summary:
        "entries of '\(datatype)' have overlays only; add their files without a locale or device, or delete the overlays"
    )
  }

  /// The missing item of a list of the source locale's files, which overlays name.
  static func missing(item id: String, of list: String, at place: SourceLocation?) -> Self {
    Self(
      missingAt: place,
      summary:
        "overlays have texts for the item '\(id)', which '\(list)' lacks; add it here, or delete them"
    )
  }
}

extension Datatype {
  /// The declaration of a required field, by the path of a value such as `badges[new].label`.
  package func declaration(requiring path: String) -> Diagnostic.Declaration {
    var shape: ObjectShape? = self.shape
    var place: SourceLocation?
    let names = path.split(separator: ".").map { ExactString(String($0.prefix { $0 != "[" })) }
    for name in names {
      let field = shape?.fields.first { $0.name == name }
      place = field?.location ?? place
      shape = field?.kind.itemShape
    }
    return Diagnostic.Declaration(
      at: place,
      summary:
        "values of '\(names.map(\.text).joined(separator: "."))' are missing, which this declaration requires; write them, or delete 'required: true'",
      needsMajority: true)
  }
}

extension ObjectShape {
  /// A Boolean value that indicates whether a locale can lack a required value: that of a localized
  /// field, or of one below another field.
  package var requiresLocalizedValues: Bool {
    fields.contains { field in
      (field.isRequired && field.isLocalized)
        || (field.kind.itemShape?.requiresLocalizedValues ?? false)
    }
  }
}

extension Field.Kind {
  /// The shape of an object, or of the objects in a list or map.
  fileprivate var itemShape: ObjectShape? {
    switch self {
    case .object(let shape): shape
    case .list(let item), .map(let item): item.kind.itemShape
    case .scalar, .any, .markdown, .plural, .catalog: nil
    }
  }
}

extension [Entry] {
  /// Returns the number of values of the field that a declaration is about, in all layers.
  ///
  /// A list or a map counts as its items, which have the place of its declaration.
  func valueCount(of declaration: Diagnostic.Declaration) -> Int? {
    guard let place = declaration.location else { return nil }
    return reduce(0) { count, entry in
      guard entry.datatype.location.path == place.path else { return count }
      return entry.layers.reduce(count) {
        $0 + entry.datatype.shape.valueCount(in: $1.node, declaredAt: place)
      }
    }
  }
}

extension ObjectShape {
  fileprivate func valueCount(in node: YAMLNode, declaredAt place: SourceLocation) -> Int {
    node.members.reduce(0) { count, member in
      count + (field(member.key)?.valueCount(in: member.value, declaredAt: place) ?? 0)
    }
  }
}

extension Field {
  fileprivate func valueCount(in node: YAMLNode, declaredAt place: SourceLocation) -> Int {
    let own = location == place && !node.isNull ? 1 : 0
    switch (kind, node.kind) {
    case (.object(let shape), .mapping): return own + shape.valueCount(in: node, declaredAt: place)
    case (.list(let item), .sequence):
      return node.items.reduce(0) { $0 + item.valueCount(in: $1, declaredAt: place) }
    case (.map(let item), .mapping):
      return node.members.reduce(0) { $0 + item.valueCount(in: $1.value, declaredAt: place) }
    case (.object, _), (.list, _), (.map, _), (.scalar, _), (.any, _), (.markdown, _), (.plural, _),
      (.catalog, _):
      return own
    }
  }
}
