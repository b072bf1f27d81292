package import ContentModel
import Diagnostics

extension Coverage {
  /// The members of the JSON report of `contentc coverage` and of the preview.
  package func members(_ scope: CoverageScope) -> Members {
    var members: Members = [
      "sourceLocale": .string(source.identifier), "share": .real(total.share),
      "datatypes": .array(datatypes.map { .string($0) }), "locales": .array(locales.map(\.value)),
    ]
    if scope.listsGaps { members["entries"] = .array(entries(namesLocales: scope.locale == nil)) }
    return members
  }

  /// The sum of all locales.
  package var total: Counts { locales.reduce(.init()) { $0 + $1.total } }

  /// Each entry, with its gaps in all locales.
  private func entries(namesLocales: Bool) -> [Value] {
    var fields: [EntryID: [Value]] = [:]
    for row in locales {
      for entry in row.entries {
        fields[entry.id, default: []] += entry.gaps.map {
          $0.value(namesLocales ? row.locale : nil)
        }
      }
    }
    return fields.keys.sorted { $0.text.precedesInBytes($1.text) }.map { id in
      ["entry": .string(id.text), "fields": .array(fields[id] ?? [])]
    }
  }
}

extension Coverage.OfLocale {
  fileprivate var value: Value {
    var members = total.members
    members["locale"] = .string(locale.identifier)
    members["datatypes"] = .dictionary(
      Members(datatypes.map { ($0.name, .dictionary($0.counts.members)) }))
    return .dictionary(members)
  }
}

extension Coverage.Counts {
  fileprivate var members: Members {
    [
      "share": .real(share), "translated": .integer(Int64(translated)),
      "outdated": .integer(Int64(outdated)),
      "inherited": .integer(Int64(inherited)),
      "fallback": .integer(Int64(fallback)), "missing": .integer(Int64(missing)),
    ]
  }
}

extension Coverage.Gap {
  fileprivate func value(_ locale: LocaleTag?) -> Value {
    var members: Members = ["path": .string(path), "state": .string(state.rawValue)]
    if let locale { members["locale"] = .string(locale.identifier) }
    if let from {
      members["from"] = .string(from.identifier)
      members["location"] = location.map { .string($0.description) }
    }
    return .dictionary(members)
  }
}
