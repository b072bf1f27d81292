import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics

/// The content that is under embargo at a moment, and that an export leaves out.
struct HiddenContent: Sendable {
  /// The paths of the files that have some of it, in the form of messages.
  private var files: Set<ExactString> = []
  /// The beginning of the paths of assets, in the form of messages.
  private var assets = ""
  /// The ids of entries under embargo for some readers.
  private var entries: Set<ExactString> = []
  /// The items under embargo, by the ids of their texts, such as `product/rose#badges.new`.
  private var items: [String] = []
  /// The items, as the schedule names them: an entry and a path such as `badges[new]`.
  private var fields: Set<ExactString> = []

  init() {}

  init(in tree: ContentTree, at instant: Instant) {
    files = Set(names: withheldFiles(of: tree, at: instant).map { tree.folder.shownPath($0.text) })
    assets = tree.folder.shownPath("assets/")
    for moment in schedule(of: tree)
    where moment.isEmbargo && moment.kind == .appears && moment.instant > instant {
      files.insert(moment.location.path)
      guard let field = moment.field else {
        entries.insert(ExactString(moment.entry.text))
        continue
      }
      fields.insert(ExactString("\(moment.entry.text) \(field.text)"))
      // `explain` writes `badges[new]` for what ids of texts call `badges.new`.
      let path = field.text.filter { $0 != "]" }.map { $0 == "[" ? "." : $0 }
      items.append("\(moment.entry.text)#\(String(path))")
    }
  }

  /// Returns whether a diagnostic could tell something about the content.
  ///
  /// A quoted line could be hidden, and so could be the name of an asset or of an entry.
  func isTold(by diagnostic: Diagnostic) -> Bool {
    guard !files.isEmpty else { return false }
    let places = ([diagnostic.location] + diagnostic.notes.map(\.location)).compactMap { $0?.path }
    if places.contains(where: { files.contains($0) || $0.text.hasBytePrefix(assets) }) {
      return true
    }
    let sentences = [diagnostic.message] + diagnostic.notes.map(\.message)
    return entries.contains { id in sentences.contains { $0.contains(id.text) } }
  }

  /// Returns whether a text is under embargo for some readers.
  func contains(_ unit: PreviewTranslations.Unit) -> Bool {
    if entries.contains(ExactString(unit.entry.text)) { return true }
    let id = unit.id.text
    return items.contains { item in
      guard id.hasBytePrefix(item) else { return false }
      let next = id.utf8.dropFirst(item.utf8.count).first
      return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
  }

  /// Returns the JSON of coverage without the fields of hidden content.
  func removed(fromCoverage coverage: Value) -> Value {
    guard var members = coverage.members, let entries = members["entries"]?.items else {
      return coverage
    }
    members["entries"] = .array(
      entries.map { entry in
        guard var row = entry.members, let id = row["entry"]?.text else { return entry }
        let all = row["fields"]?.items ?? []
        row["fields"] = .array(all.filter { !hides($0["path"]?.text ?? "", of: id) })
        return .dictionary(row)
      })
    return .dictionary(members)
  }

  /// Returns the JSON of an explanation without the items that an embargo omits.
  static func removed(fromExplanation members: Members) -> Value {
    var members = members
    members["leftOut"] = members["leftOut"]?.items.map { items in
      .array(items.filter { $0["when"]?["embargoUntil"] == nil })
    }
    return .dictionary(members)
  }

  /// Returns whether a field, such as `badges[new].label`, belongs to a hidden item or entry.
  private func hides(_ path: String, of entry: String) -> Bool {
    if entries.contains(ExactString(entry)) { return true }
    return path.indices.contains { end in
      path[end] == "]" && fields.contains(ExactString("\(entry) \(path[...end])"))
    }
  }

  /// Returns the JSON of a schedule without the moments of hidden content.
  func removed(fromSchedule schedule: Value) -> Value {
    guard var members = schedule.members else { return schedule }
    members["moments"] = .array(
      (members["moments"]?.items ?? []).filter { moment in
        let entry = moment["entry"]?.text ?? ""
        guard let field = moment["field"]?.text else {
          return !entries.contains(ExactString(entry))
        }
        return !entries.contains(ExactString(entry))
          && !fields.contains(ExactString("\(entry) \(field)"))
      })
    return .dictionary(members)
  }
}

extension ContentTree {
  /// Returns the tree without the entries that only an embargo keeps out of a build.
  func withoutWithheldEntries(at instant: Instant) -> ContentTree {
    let rules = ResolutionRules(of: project)
    var tree = self
    tree.entries.removeAll { rules.isWithheld($0, at: instant) }
    return tree
  }
}
