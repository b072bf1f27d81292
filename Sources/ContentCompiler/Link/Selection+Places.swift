import ContentModel
import ContentSource
import Diagnostics

extension Selection {
  /// Chooses the field with the places of the entries, and checks that readers get it.
  ///
  /// It is the field that the bundle names, or the only one of type `place`.
  mutating func choosePlaceField(in tree: ContentTree) -> [Diagnostic] {
    guard let rules = bundle.tiles else { return [] }
    if entries.isEmpty { placeField = rules.field?.name }
    let names = Set(names: entries.lazy.map { tree.entries[$0].datatype.name })
    let datatypes = tree.datatypes.filter { names.contains($0.name) }
    if datatypes.contains(where: \.isPartial) { return [] }
    for datatype in datatypes {
      let fields = datatype.shape.fields.filter(\.kind.isPlace).map(\.name)
      if let problem = choose(among: fields, of: datatype, by: rules) { return [problem] }
    }
    return datatypes.compactMap { hiddenPlace(in: $0) }
  }

  /// Chooses among the fields of a datatype that have the type `place`; returns the reason if it
  /// cannot.
  private mutating func choose(
    among fields: [ExactString], of datatype: Datatype, by rules: BundleDefinition.TileRules
  ) -> Diagnostic? {
    if let (name, location) = rules.field {
      if fields.contains(name) {
        placeField = name
        return nil
      }
      if datatype.shape.field(name) == nil {
        return .unknown(
          "field", named: name.text, rule: .unknownField, in: "'place'",
          ownsNames: false, known: fields.map(\.text),
          at: location)
      }
      return .wrongType(
        "'place'", must: "be the name of a field of type 'place'", at: location)
    }
    guard let only = fields.first, fields.count == 1 else {
      let advice =
        fields.isEmpty
        ? "'\(datatype.name)' has none; add one, such as 'location: {type: place}'"
        : "'\(datatype.name)' has \(fields.map(\.text).joined(separator: ", ")); add 'place: \(fields[0])'"
      return .error(
        .placeField, at: bundle.location,
        message: "the bundle '\(bundle.name)' is split by a field of type 'place', and \(advice)")
    }
    if let earlier = placeField, earlier != only {
      return .error(
        .placeField, at: bundle.location,
        message:
          "the bundle '\(bundle.name)' must be split by one field; its datatypes have '\(earlier)' and '\(only)'"
      )
    }
    placeField = only
    return nil
  }

  /// The error for a projection that hides the places, which readers measure distances to.
  private func hiddenPlace(in datatype: Datatype) -> Diagnostic? {
    guard let placeField, let projection = bundle.projection,
      let fields = projections?[datatype.name],
      !fields.contains(placeField)
    else { return nil }
    return .error(
      .placeField, at: projection.location,
      message:
        "the projection '\(projection.name)' must include '\(placeField)', by which the bundle '\(bundle.name)' is split"
    )
  }
}
