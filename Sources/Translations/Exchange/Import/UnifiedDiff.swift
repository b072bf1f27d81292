import ContentModel

/// The differences of a file's lines in the form of `diff -u`.
struct UnifiedDiff {
  /// The number of equal lines around each difference.
  private static let context = 3
  /// The limit of search steps; a difference that needs more is shown as one block.
  private static let mostSteps = 20_000_000

  fileprivate typealias Line = ArraySlice<UInt8>

  fileprivate enum Row {
    case equal(Line)
    case removed(Line)
    case added(Line)
  }

  private let rows: [Row]

  init(from old: [UInt8], to new: [UInt8]) {
    rows = Self.rows(from: Self.lines(of: old), to: Self.lines(of: new))
  }

  /// The lines with their line breaks.
  private static func lines(of bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  private static func rows(from old: [Line], to new: [Line]) -> [Row] {
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    let (before, after) = (
      Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)])
    )
    let isLarge = before.count.multipliedReportingOverflow(by: after.count).partialValue > mostSteps
    let middle =
      isLarge
      ? before.map(Row.removed) + after.map(Row.added)
      : rows(of: after.difference(from: before), before)
    return old[..<start].map(Row.equal) + middle + old[(old.count - end)...].map(Row.equal)
  }

  private static func rows(of difference: CollectionDifference<Line>, _ old: [Line]) -> [Row] {
    var removed: Set<Int> = []
    for case .remove(let offset, _, _) in difference.removals { removed.insert(offset) }
    var rows: [Row] = []
    var (next, count) = (0, 0)
    func takeOld(until place: Int) {
      while next < old.count, removed.contains(next) || count < place {
        if removed.contains(next) {
          rows.append(.removed(old[next]))
        } else {
          rows.append(.equal(old[next]))
          count += 1
        }
        next += 1
      }
    }
    for case .insert(let offset, let line, _) in difference.insertions {
      takeOld(until: offset)
      rows.append(.added(line))
      count += 1
    }
    takeOld(until: .max)
    return rows
  }

  /// The text with the names of the file before and after; empty without a difference.
  func text(from oldName: String, to newName: String) -> String {
    let changed = rows.indices.filter { if case .equal = rows[$0] { false } else { true } }
    guard !changed.isEmpty else { return "" }
    var text = "--- \(oldName)\n+++ \(newName)\n"
    var start = 0
    var (oldLine, newLine) = (1, 1)
    var place = 0
    while place < changed.count {
      let first = max(start, changed[place] - Self.context)
      var last = place
      while last + 1 < changed.count, changed[last + 1] - changed[last] <= 2 * Self.context {
        last += 1
      }
      let end = min(rows.count, changed[last] + Self.context + 1)
      for row in rows[start..<first] { (oldLine, newLine) = row.next(oldLine, newLine) }
      text += hunk(first..<end, oldLine: oldLine, newLine: newLine)
      for row in rows[first..<end] { (oldLine, newLine) = row.next(oldLine, newLine) }
      (start, place) = (end, last + 1)
    }
    return text
  }

  private func hunk(_ range: Range<Int>, oldLine: Int, newLine: Int) -> String {
    var (oldCount, newCount, body) = (0, 0, "")
    for row in rows[range] {
      let (sign, line): (String, Line) =
        switch row {
        case .equal(let line): (" ", line)
        case .removed(let line): ("-", line)
        case .added(let line): ("+", line)
        }
      oldCount += sign == "+" ? 0 : 1
      newCount += sign == "-" ? 0 : 1
      let isEnded = line.last == UInt8(ascii: "\n")
      body += sign + String(decoding: isEnded ? line.dropLast() : line, as: UTF8.self) + "\n"
      if !isEnded { body += "\\ No newline at end of file\n" }
    }
    let (old, new) = (oldCount == 0 ? oldLine - 1 : oldLine, newCount == 0 ? newLine - 1 : newLine)
    return "@@ -\(old),\(oldCount) +\(new),\(newCount) @@\n" + body
  }
}

extension UnifiedDiff.Row {
  /// The numbers of the lines after this one.
  fileprivate func next(_ old: Int, _ new: Int) -> (Int, Int) {
    switch self {
    case .equal: (old + 1, new + 1)
    case .removed: (old + 1, new)
    case .added: (old, new + 1)
    }
  }
}

extension EditedFile {
  /// The change in the form of `diff -u`, with the paths of messages.
  package func diff(below folder: String) -> String {
    let path = folder.isEmpty ? path : "\(folder)/\(path)"
    return UnifiedDiff(from: old ?? [], to: new)
      .text(from: old == nil ? "/dev/null" : path, to: path)
  }
}
