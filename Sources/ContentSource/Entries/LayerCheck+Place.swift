package import ContentModel
import Diagnostics
package import YAML

extension LayerCheck {
  /// The names outside of its own file that content may refer to.
  struct KnownNames: Sendable {
    let assets: Set<ExactString>
    /// The paths of the assets, in order.
    let assetList: [String]
    /// The folders at the top of `assets/`.
    let assetFolders: Set<ExactString>
    /// The folders whose files cannot be listed.
    private let unreadFolders: [String]
    let datatypes: Set<ExactString>
    /// The entries that references may lead to, in the order of their ids.
    var entries: [Entry] = []

    init(assets: [String], unreadFolders: [String], datatypes: [String]) {
      (assetList, self.assets) = (assets, Set(names: assets))
      self.unreadFolders = unreadFolders
      assetFolders = Set(
        names: assets.compactMap { path in
          path.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
        })
      self.datatypes = Set(names: datatypes)
    }

    /// Returns `true` if an unknown asset may be in a folder whose files cannot be listed.
    func mayHaveAsset(_ path: String) -> Bool {
      unreadFolders.contains { "assets/\(path)".hasBytePrefix("\($0)/") }
    }

    func hasEntry(_ id: String) -> Bool { firstEntry(notBefore: id) == id }

    /// The id of the first entry of a datatype.
    func firstEntry(of datatype: String) -> String? {
      firstEntry(notBefore: "\(datatype)/").flatMap { $0.hasPrefix("\(datatype)/") ? $0 : nil }
    }

    private func firstEntry(notBefore id: String) -> String? {
      var range = entries.indices
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        range =
          entries[middle].id.text.sortsBefore(id)
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound < entries.endIndex ? entries[range.lowerBound].id.text : nil
    }
  }

  /// The position of a node, on which the check of its children depends.
  struct Place {
    /// A Boolean value that indicates whether the field, or one above it, is localized.
    var isLocalized: Bool
    /// The nodes at the same place in the source locale's files, which a locale overlay may extend.
    var sources: [YAMLNode]
    /// A Boolean value that indicates whether `when:` is allowed here.
    var isConditional: Bool

    /// The place of a member.
    ///
    /// It has sources only for a collection of an overlay in a place that is not localized.
    func below(_ key: YAMLNode, to value: YAMLNode, isLocalized: Bool, isOverlay: Bool) -> Place {
      var place = Place(
        isLocalized: self.isLocalized || isLocalized, sources: [], isConditional: false)
      guard isOverlay, !place.isLocalized, value.kind != .scalar else { return place }
      place.sources = key.withTextBytes { key in sources.compactMap { $0.member(key)?.value } }
      return place
    }

  }

  /// The items of a list in the source locale's files, which the list of an overlay may extend.
  struct SourceItems {
    /// The distinct ids, in order.
    private(set) var ids: [String] = []
    private var byID: [YAMLTextKey: [YAMLNode]] = [:]
    /// Suggestions of ids.
    var suggestions: Suggestions

    init(of lists: [YAMLNode]) {
      for item in lists.lazy.flatMap(\.items) {
        guard let id = item.itemIDNode else { continue }
        let key = id.textKey
        if byID[key] == nil { ids.append(id.text) }
        byID[key, default: []].append(item)
      }
      suggestions = Suggestions(searches: 20) { [ids] in $0.nearest(among: ids) }
    }

    subscript(id: YAMLNode) -> [YAMLNode] { byID[id.textKey] ?? [] }
  }
}

extension YAMLNode {
  /// The `id` of a list's item; `nil` if the item is not a mapping or has none.
  package var itemID: ExactString? { itemIDNode.map { ExactString($0.text) } }

  /// The node of the `id`.
  package var itemIDNode: YAMLNode? {
    guard kind == .mapping, let id = self["id"], id.kind == .scalar, !id.isNull else { return nil }
    return id
  }

  /// `true` for a list that merges item by item: not empty, with an `id` in every item.
  package var hasIdentifiedItems: Bool {
    !items.isEmpty && items.allSatisfy { $0.itemIDNode != nil }
  }
}

/// The distinct ids of a list's items so far.
struct DistinctIDs {
  /// A few ids, which are compared one by one.
  private var few: [YAMLNode] = []
  private var many: [[UInt8]: YAMLNode] = [:]

  /// Returns an earlier id with the same bytes; adds the id and returns `nil` if there is none.
  mutating func first(likeOrAdding id: YAMLNode) -> YAMLNode? {
    if !many.isEmpty { return addToMany(id) }
    let same = id.withTextBytes { text in
      few.first { $0.withTextBytes { $0.hasSameBytes(as: text) } }
    }
    if same == nil { few.append(id) }
    if few.count > 16 { for node in few { _ = addToMany(node) } }
    return same
  }

  private mutating func addToMany(_ id: YAMLNode) -> YAMLNode? {
    let bytes = id.withTextBytes { Array($0) }
    if let first = many[bytes] { return first }
    many[bytes] = id
    return nil
  }
}
