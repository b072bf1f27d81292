import ContentModel

extension CompiledState {
  /// True if every number in the state leads to something: a state file may hold any numbers,
  /// though its hashes are right.
  ///
  /// Entries and files of single parts are checked when these are opened.
  var isCoherent: Bool {
    let entries = datatypes.last?.items.upperBound ?? 0
    return Self.followOneAnother(datatypes) && Self.followOneAnother(folders)
      && prints.count == datatypes.count
      && indexes.count == contexts.count && (indexes + fixed).allSatisfy(\.isPlausible)
      && selections.allSatisfy { $0.isCoherent(entries: entries, contexts: contexts.count) }
  }

  /// True if the numbers of the parts' items follow one another, and no part has more items than
  /// bytes.
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

  /// The most bytes, or entries, that an object can be said to have: sums of them are numbers
  /// still.
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
  /// True if its rows are of so many entries and contexts: of a bundle that is one object, or of
  /// one that is split.
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
