import ContentModel

extension CompiledState {
  /// `true` if every number in the state is valid.
  ///
  /// A state file with correct hashes can still have any numbers. The entries and files of a part
  /// are checked when the part is opened.
  var isCoherent: Bool {
    let entries = datatypes.last?.items.upperBound ?? 0
    return Self.followOneAnother(datatypes) && Self.followOneAnother(folders)
      && fingerprints.count == datatypes.count
      && indexes.count == contexts.count && (indexes + fixed).allSatisfy(\.isPlausible)
      && selections.allSatisfy { $0.isCoherent(entries: entries, contexts: contexts.count) }
  }

  /// Returns `true` if the item numbers are consecutive, and no part has more items than bytes.
  private static func followOneAnother(_ parts: [Part]) -> Bool {
    var next = 0
    for part in parts {
      guard part.items.lowerBound == next, part.items.count <= part.bytes.count,
        part.record?.isPlausible ?? true
      else {
        return false
      }
      next = part.items.upperBound
    }
    return true
  }

  /// The largest plausible number of bytes or entries; sums of such numbers cannot overflow.
  fileprivate static let most = 1 << 40
}

extension CompiledState.ObjectState {
  fileprivate var isPlausible: Bool { (0...CompiledState.most).contains(size) }
}

extension BundleRow {
  fileprivate var isPlausible: Bool {
    objects.allSatisfy { object in
      (0...CompiledState.most).contains(object.size)
        && (0...CompiledState.most).contains(object.count)
        && object.changes?.hasRFC3339 ?? true
    }
  }
}

extension CompiledState.SelectionState {
  /// Returns `true` if its rows are valid for a number of entries and contexts.
  fileprivate func isCoherent(entries count: Int, contexts: Int) -> Bool {
    let isWhole = whole.count == contexts && split.isEmpty && lists.isEmpty
    let isSplit = whole.isEmpty && split.count == contexts && lists.count == contexts
    return (isWhole || isSplit) && entries.allSatisfy { $0 < count }
      && lists.allSatisfy(\.isPlausible)
      && (whole + rows).allSatisfy(\.isPlausible)
      && (listChanges.isEmpty || (isSplit && listChanges.count == contexts))
      && listChanges.allSatisfy { $0?.hasRFC3339 ?? true }
      && split.allSatisfy { $0.allSatisfy { $0.entry < count && $0.row < rows.count } }
  }
}
