package import ContentModel
package import ContentReleases
package import Diagnostics
import PropertyLists

/// The text and the JSON of a diff.
package struct DiffPage {
  package let diff: ReleaseDiff
  /// The largest number of entries, and of fields per entry, in the text.
  package var limit = 20
  /// A line about the readers that a change of the channel's signing cuts off; `nil` without one.
  package var cutOff: String?

  package init(diff: ReleaseDiff) { self.diff = diff }

  /// The text: entries with their fields, and the bytes that a reader fetches.
  package var text: String {
    let first = cutOff.map { $0 + "\n" } ?? ""
    if diff.isEmpty {
      return cutOff == nil
        ? "No reader sees a change.\n" : first + "The content does not change.\n"
    }
    let width = diff.entries.prefix(limit).map(\.id.count).max() ?? 0
    var lines = [first + headline]
    for entry in diff.entries.prefix(limit) {
      let id = entry.id.harmless.padded(to: width)
      lines.append(
        "  \(entry.kind.rawValue.padded(to: 7))  \(id)  \(Self.contexts(entry.contexts))")
      for field in Self.shown(entry.fields) { lines.append("             \(field)") }
    }
    if diff.entries.count > limit {
      let more = (diff.entries.count - limit).counted("entry", plural: "entries")
      lines.append("  … and \(more) more; --json lists all")
    }
    return (lines + [bytes]).joined(separator: "\n") + "\n"
  }

  /// Returns the section of the job summary: all entries with all fields and contexts.
  package func jobSummary(of channel: String, _ settings: ChannelSettings? = nil) -> JobSummary {
    let lines = settings?.lines.map { "\($0.key) \($0.text.markdownCode)" } ?? []
    let changes =
      diff.isEmpty
      ? [cutOff == nil ? "No reader sees a change." : "The content does not change."]
      : ["\(headline)."] + bytes.split(separator: "\n").map { String($0).markdownCode }
    return JobSummary(
      title: "Changes for readers of \(channel.markdownCode)",
      paragraphs: (lines.isEmpty ? [] : [lines.joined(separator: "; ")])
        + (cutOff.map { [$0.markdownCode] } ?? []) + changes,
      items: diff.entries.map(item))
  }

  private func item(_ entry: ReleaseDiff.EntryChange) -> String {
    let fields = entry.fields.map { field in
      "\n  - \(field.path.markdownCode): \(Self.short(field.old).markdownCode) → "
        + "\(Self.short(field.new).markdownCode) for \(matrix(field.contexts))"
    }
    return "**\(entry.kind.rawValue)** \(entry.id.markdownCode) for \(matrix(entry.contexts))"
      + fields.joined()
  }

  /// Returns contexts in Markdown, the devices of each locale together.
  private func matrix(_ contexts: [String]) -> String {
    var rows: [(locale: Substring, devices: [String])] = []
    for context in contexts {
      let locale = context.prefix { $0 != "/" }
      let device = String(context.dropFirst(locale.count + 1)).markdownCode
      if let last = rows.last, last.locale.utf8.elementsEqual(locale.utf8) {
        rows[rows.count - 1].devices.append(device)
      } else {
        rows.append((locale, [device]))
      }
    }
    return rows.map { row in
      let devices = row.devices.filter { !$0.isEmpty }
      return String(row.locale).markdownCode
        + (devices.isEmpty ? "" : " (\(devices.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }

  private var headline: String {
    let counts = ReleaseDiff.Kind.allCases.filter { diff.count($0) > 0 }.map {
      "\(diff.count($0).grouped) \($0.rawValue)"
    }
    guard diff.isComplete else {
      return counts.isEmpty
        ? "The changed entries are unknown"
        : "Entries: \(counts.joined(separator: ", ")); other changes are unknown"
    }
    return counts.isEmpty
      ? "No entry changes, but bundles change" : "Entries: \(counts.joined(separator: ", "))"
  }

  private var bytes: String {
    let sizes = diff.bytesByContext.map(\.bytes).sorted()
    guard let least = sizes.first, let most = sizes.last else {
      return "No reader fetches anything."
    }
    let range =
      least.asByteCount == most.asByteCount
      ? most.asByteCount : "\(least.asByteCount) to \(most.asByteCount)"
    let objects = diff.newObjects.count.counted("object")
    let total = diff.newObjects.map(\.size).reduce(0, +).asByteCount
    return "A reader fetches \(range) (before compression) in \(sizes.count.counted("context"))\n"
      + "A publication sends \(objects), \(total)\(sentParts)"
  }

  /// The lines that explain the sent objects, one for each kind.
  private var sentParts: String {
    if diff.sent.isEmpty { return "" }
    let countWidth = diff.sent.map(\.objects.grouped.count).max() ?? 0
    let sizeWidth = diff.sent.map(\.bytes.asByteCount.count).max() ?? 0
    let lines = diff.sent.map { part in
      let count = part.objects.grouped.paddedLeft(to: countWidth)
      let size = part.bytes.asByteCount.paddedLeft(to: sizeWidth)
      return "\n  \(count)  \(size)  \(part.explanation)"
    }
    return ":" + lines.joined()
  }

  fileprivate static func shown(_ fields: [ReleaseDiff.FieldChange]) -> [String] {
    // A field that differs in many languages has one line, with the number of the others.
    var seen: Set<ExactString> = []
    let first = fields.filter { seen.insert($0.path) }
    return first.prefix(4).map { field in
      let others = fields.count { $0.path.hasSameBytes(as: field.path) } - 1
      let more = others > 0 ? "  (and \(others.grouped) other forms)" : ""
      return "\(field.path.harmless)  \(short(field.old)) → \(short(field.new))\(more)"
    } + (first.count > 4 ? ["… and \((first.count - 4).counted("field")) more"] : [])
  }

  private static func short(_ value: Value?) -> String {
    guard let value else { return "nothing" }
    let text =
      (try? PropertyList.encode(value, as: .json)).map { String(decoding: $0, as: UTF8.self) }
      ?? "…"
    return text.count > 48 ? "\(text.prefix(47))…" : text
  }

  fileprivate static func contexts(_ names: [String]) -> String {
    var locales: [String] = []
    for name in names {
      let locale = String(name.prefix { $0 != "/" })
      if locales.last != locale { locales.append(locale) }
    }
    let list = locales.prefix(4).joined(separator: ", ") + (locales.count > 4 ? ", …" : "")
    return "\(list) (\(names.count.counted("context")))"
  }

  /// The ids of all changed entries; `nil` if some are unknown.
  package var ids: [String]? { diff.isComplete ? diff.entries.map(\.id) : nil }

  /// The members of the JSON.
  package var members: Members {
    let bytes = diff.bytesByContext.map { ($0.context, Value.integer(Int64($0.bytes))) }
    return [
      "entries": diff.entries.value, "isComplete": .boolean(diff.isComplete),
      "bytes": .dictionary(Members(bytes)),
      "newObjects": .integer(Int64(diff.newObjects.count)),
      "newBytes": .integer(Int64(diff.newObjects.map(\.size).reduce(0, +))),
      "sends": .array(diff.sent.map(\.value)),
    ]
  }
}

extension [ReleaseDiff.EntryChange] {
  /// Returns the lines on the entries and their fields, at most `limit`.
  func lines(limit: Int) -> [String] {
    let lines = flatMap { entry in
      ["  \(entry.kind.rawValue)  \(entry.id.harmless)  \(DiffPage.contexts(entry.contexts))"]
        + DiffPage.shown(entry.fields).map { "    \($0)" }
    }
    if lines.count <= limit { return lines }
    let more = (lines.count - limit + 1).counted("line")
    return lines.prefix(limit - 1) + ["  … and \(more) more; --dry-run --json has all"]
  }

  /// The JSON of the entries.
  var value: Value {
    .array(
      map { entry in
        let fields = entry.fields.map { field -> Value in
          var members: Members = [
            "path": .string(field.path), "contexts": .array(field.contexts.map(Value.string)),
          ]
          members["old"] = field.old
          members["new"] = field.new
          return .dictionary(members)
        }
        return [
          "id": .string(entry.id), "kind": .string(entry.kind.rawValue),
          "contexts": .array(entry.contexts.map(Value.string)), "fields": .array(fields),
        ]
      })
  }
}

extension ReleaseDiff.SentPart {
  /// The sentence on the kind, such as `indexes, one for each locale and device; each carries the
  /// startup bundles home and menu`.
  fileprivate var explanation: String {
    let names = bundles.keys.sorted { $0.precedesInBytes($1) }
    let list = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    switch kind {
    case .index:
      let startup = names.count == 1 ? "the startup bundle \(list)" : "the startup bundles \(list)"
      return "indexes, one for each locale and device"
        + (names.isEmpty ? "" : "; each carries \(startup)")
    case .bundle: return "bundles, one for each locale, device and variant that differs: \(list)"
    case .recipe: return "recipes of bundles, which take fewer bytes"
    case .list: return "lists of split bundles"
    case .maintenance: return "texts for a maintenance"
    case .asset: return "assets"
    case .record: return "parts of the build's record, which readers do not fetch"
    }
  }

  fileprivate var value: Value {
    var members: Members = [
      "kind": .string(kind.rawValue), "objects": .integer(Int64(objects)),
      "bytes": .integer(Int64(bytes)),
    ]
    if !bundles.isEmpty {
      members["bundles"] = .dictionary(Members(bundles.map { ($0.key, .integer(Int64($0.value))) }))
    }
    return .dictionary(members)
  }
}
