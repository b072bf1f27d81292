@_exported public import ContentModel
import PropertyLists
@_exported public import RichText
import SiteFormat

/// An entry of a snapshot: its fields are read on access.
///
/// After a purge of the entry, an app that still holds it reads no field any more.
///
/// ```swift
/// if let rose = client.snapshot.entry("product/rose") {
///   show(title: rose["title"]?.text, price: rose["price"]?.real)
/// }
/// ```
public struct Entry: Sendable, Identifiable {
  let node: EntryNode
  let snapshot: ContentSnapshot

  /// The id, such as `product/rose`.
  public var id: EntryID { node.id }

  /// The fields; `nil` once a purge withdrew the entry.
  private var content: BinaryPropertyList.Node? {
    guard let release = snapshot.content,
      !snapshot.visibility.current.withdraws(id, of: release)
    else { return nil }
    return node.content
  }

  /// Returns what is shown now of a part of the fields.
  private func shown(_ part: BinaryPropertyList.Node) -> Value? {
    let value = part.contentsIfReadable?.shown(at: snapshot.now)
    let rules = snapshot.visibility.current
    guard part.kind == .array || part.kind == .dictionary, let release = snapshot.content,
      rules.mayHideEntries(of: release)
    else { return value }
    return value?.withoutItems { text in
      EntryID(text).map { rules.withdraws($0, of: release) } ?? false
    }
  }

  /// The bundle from which the entry is read.
  public var bundle: BundleName { node.bundle.name }

  /// The value of a field, of which nothing else is decoded; `nil` if there is none.
  ///
  /// Items of lists outside their dates (`when`) are left out, and so are those that name a purged
  /// entry while the release without it is not loaded.
  ///
  /// ```swift
  /// let currency = product["price.currency"]
  /// ```
  public subscript(path: FieldPath) -> Value? {
    var node = content
    for (place, key) in path.keys.enumerated() {
      guard let container = node else { return nil }
      if container.kind == .array {
        // Positions count shown items, so the rest of the way is in their values.
        let list = shown(container)
        return path.keys[place...].reduce(list) { $0?.part($1) }
      }
      node = container.member(key)
    }
    return node.flatMap { shown($0) }
  }

  /// All fields in the order of their keys.
  ///
  /// ```swift
  /// for (field, value) in home.fields { show(field, value) }
  /// ```
  public var fields: Members {
    if case .dictionary(let members)? = content.flatMap({ shown($0) }) {
      members
    } else {
      Members()
    }
  }

  /// The entry that a field refers to, in the same snapshot; `nil` if it is not shown or not
  /// stored.
  ///
  /// ```swift
  /// let hero = home.reference("hero")
  /// ```
  public func reference(_ path: FieldPath) -> Entry? {
    self[path]?.text.flatMap { EntryID($0) }.flatMap { snapshot.entry($0) }
  }

  /// The entries that a list refers to, in the same snapshot and in the order of the list.
  ///
  /// ```swift
  /// for product in home.references("products") { show(product) }
  /// ```
  public func references(_ path: FieldPath) -> [Entry] {
    (self[path]?.items ?? []).compactMap { item in
      item.text.flatMap { EntryID($0) }.flatMap { snapshot.entry($0) }
    }
  }

  /// The file of a field of type `asset`; `nil` for another value.
  ///
  /// ```swift
  /// let snapshot = client.snapshot  // Held as long as the file is used.
  /// if let picture = snapshot.entry("product/rose")?.asset("picture") {
  ///   show(try await snapshot.file(of: picture, scale: 2))
  /// }
  /// ```
  public func asset(_ path: FieldPath) -> AssetValue? { self[path].flatMap { AssetValue($0) } }

  /// The text of a field of type `markdown`; `nil` for another value.
  ///
  /// ```swift
  /// if let body = article.markdown("body") { show(AttributedString(body)) }
  /// ```
  public func markdown(_ path: FieldPath) -> MarkdownValue? {
    self[path].flatMap { MarkdownValue($0) }
  }

  /// Decodes the fields, and the entry's id as `id` unless a field has that name.
  ///
  /// References decode as `EntryID`, assets as ``AssetValue``, dates as `Instant`. Integers decode
  /// as reals, too. Of Foundation's types, `URL` decodes from a text, `Decimal` from a number, and
  /// `Date`, `Data` and `UUID` as usual.
  ///
  /// ```swift
  /// struct Product: Decodable, Identifiable {
  ///   let id: EntryID
  ///   let title: String
  ///   let price: Double
  ///   let picture: AssetValue?
  /// }
  /// let product = try entry.decode(Product.self)
  /// ```
  ///
  /// - Throws: `DecodingError` if the fields do not match the type; ``ContentError`` of kind
  ///   `.withdrawn` once a purge withdrew the entry.
  public func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if content == nil, node.content != nil {
      throw ContentError(.withdrawn, because: "\(id) was purged")
    }
    var fields = fields
    if fields["id"] == nil { fields["id"] = .string(id.text) }
    return try ValueDecoder.ofEntries.decode(
      type, from: .dictionary(fields), writtenAs: node.bundle.format)
  }
}
