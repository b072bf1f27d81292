import ContentModel
import Diagnostics
import PropertyLists
import Translations

extension PreviewTranslations.Unit {
  /// The JSON of a unit.
  var value: Value {
    var members: Members = [
      "id": .string(id.text), "entry": .string(entry.text), "source": .string(source),
      "state": .string(state == .needsReview ? "needs-review" : state.rawValue),
    ]
    members["target"] = target.map { .string($0) }
    if isOutdated { members["isOutdated"] = true }
    members["inherited"] = inherited.map {
      ["text": .string($0.text), "locale": .string($0.locale.identifier)]
    }
    members["note"] = note.map { .string($0) }
    members["maximumLength"] = maximumLength.map { .integer(Int64($0)) }
    if !whereUsed.isEmpty { members["whereUsed"] = .strings(whereUsed) }
    if isMarkdown { members["isMarkdown"] = true }
    members["location"] = location.map { .string($0) }
    members["group"] = group.map { .string($0.text) }
    return .dictionary(members)
  }
}

extension PreviewTranslations.ImportReport {
  /// The JSON of a report.
  var value: Value {
    [
      "changedFiles": .strings(changedFiles), "changedUnits": .integer(Int64(changedUnits)),
      "refusedUnits": .integer(Int64(refusedUnits)), "equalUnits": .integer(Int64(equalUnits)),
      "diff": .string(diff), "isRefused": .boolean(isRefused),
      "diagnostics": DiagnosticsJSON(diagnostics) { _ in nil }.value,
    ]
  }
}

extension PreviewTranslations.Edit {
  /// Reads the JSON of an edit, whose keys are the names of the properties.
  init(json bytes: [UInt8]) throws(RequestError) {
    guard let value = try? PropertyList.decode(bytes, as: .json).value,
      let locale = value["locale"]?.text.flatMap({ LocaleTag($0) }),
      var edit = Self(value, locale: locale),
      case let others = (value["others"]?.items ?? []).map({ Self($0, locale: locale) }),
      !others.contains(where: { $0 == nil })
    else {
      throw RequestError(
        .badRequest, message: "the body must have the texts 'locale', 'id', 'source' and 'target'")
    }
    edit.others = others.compactMap(\.self)
    self = edit
  }

  private init?(_ value: Value, locale: LocaleTag) {
    guard let id = value["id"]?.text, let source = value["source"]?.text,
      let target = value["target"]?.text
    else { return nil }
    self.init(
      locale: locale, id: ExactString(id), source: source, previous: value["previous"]?.text,
      target: target)
  }
}

extension TranslationFormat {
  /// The JSON of a format, with its label for people.
  var value: Value {
    [
      "name": .string(name), "label": .string("\(title) for \(readers)"),
      "extensions": .strings(extensions),
    ]
  }
}
