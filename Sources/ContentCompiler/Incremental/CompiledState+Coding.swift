import ContentModel
import ContentSource

extension CompiledState {
  /// The state as bytes that `init(_:)` reads.
  package var encoded: [UInt8] {
    var output = ByteBuilder()
    output.append(contexts) { output, context in
      output.append(context.name)
      output.append(context.locale)
      output.append(context.chain) { $0.append($1) }
      output.append(context.ancestry) { $0.append($1) }
    }
    for files in [sources, assetSources] {
      output.append(files) { output, file in
        output.append(file.path)
        output.append(Int64(file.size))
        output.append(raw: file.digest.bytes)
      }
    }
    output.append(entries) { $0.append($1) }
    output.append(selections) { $0.append($1) }
    output.append(indexes) { $0.append($1) }
    output.append(payloads) { $0.append(raw: $1.bytes) }
    output.append(fixed) { $0.append($1) }
    output.append(Int64(retryAfter))
    output.append(pages) { $0.append($1) }
    return output.bytes
  }

  /// Reads what `encoded` gave; `nil` for anything else.
  package init?(_ bytes: [UInt8]) {
    let state = bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return try? CompiledState(from: &reader)
    }
    guard let state else { return nil }
    self = state
  }

  private init(from input: inout ByteReader) throws(ByteReader.Malformed) {
    contexts = try input.list { input throws(ByteReader.Malformed) in
      ContextState(
        name: try input.text(), locale: try input.text(), chain: try input.texts(), ancestry: try input.texts())
    }
    sources = try input.files()
    assetSources = try input.files()
    entries = try input.list { input throws(ByteReader.Malformed) in try input.entry() }
    selections = try input.list { input throws(ByteReader.Malformed) in try input.selection() }
    indexes = try input.list { input throws(ByteReader.Malformed) in try input.object() }
    payloads = try input.list { input throws(ByteReader.Malformed) in try input.digest() }
    fixed = try input.list { input throws(ByteReader.Malformed) in try input.object() }
    retryAfter = Int(try input.number(Int64.self))
    pages = try input.texts()
    guard input.isAtEnd else { throw ByteReader.Malformed() }
  }
}

extension ByteBuilder {
  fileprivate mutating func append<Element>(_ items: [Element], _ each: (inout ByteBuilder, Element) -> Void) {
    append(UInt32(items.count))
    for item in items { each(&self, item) }
  }

  fileprivate mutating func append(_ entry: CompiledState.EntryState) {
    append(entry.id)
    append(entry.layers) { output, layer in
      output.append(UInt32(layer.file))
      output.append(layer.locale)
      output.append(layer.device)
    }
    append(UInt8(entry.isShared ? 1 : 0))
    append(entry.presence) { $0.append(UInt8($1 ? 1 : 0)) }
    append(entry.prints) { $0.append($1) }
    append(entry.assets) { $0.append(raw: $1.bytes) }
  }

  fileprivate mutating func append(_ selection: CompiledState.SelectionState) {
    append(selection.name)
    append(selection.entries) { $0.append(UInt32($1)) }
    append(selection.whole) { $0.append($1) }
    append(selection.split) { output, rows in
      output.append(rows) { output, row in
        output.append(UInt32(row.entry))
        output.append(UInt32(row.row))
      }
    }
    append(selection.rows) { $0.append($1) }
    append(selection.lists) { $0.append($1) }
  }

  fileprivate mutating func append(_ object: CompiledState.ObjectState) {
    append(raw: object.digest.bytes)
    append(object.fileExtension)
    append(Int64(object.size))
  }

  fileprivate mutating func append(_ row: BundleRow) {
    append(row.object)
    append(row.variants) { output, variant in
      for text in [variant.country, variant.stretch.from?.description, variant.stretch.before?.description] {
        output.append(text ?? "")
      }
      output.append(variant.result)
    }
    append(Int64(row.ttl.seconds))
    append(row.format?.rawValue ?? "")
    append(UInt8(row.startup == nil ? 0 : 1))
  }

  private mutating func append(_ object: BundleRow.Object) {
    append(raw: object.digest.bytes)
    append(Int64(object.size))
    append(Int64(object.count))
    append(UInt8(object.changes == nil ? 0 : 1))
    append((object.changes?.secondsSinceReferenceDate ?? 0).bitPattern)
  }
}

extension ByteReader {
  fileprivate mutating func list<Element>(
    _ each: (inout ByteReader) throws(Malformed) -> Element
  ) throws(Malformed) -> [Element] {
    let count = try count()
    var items: [Element] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try each(&self)) }
    return items
  }

  fileprivate mutating func texts() throws(Malformed) -> [String] {
    try list { input throws(Malformed) in try input.text() }
  }

  fileprivate mutating func digest() throws(Malformed) -> Digest {
    guard let digest = Digest(bytes: try raw(32)) else { throw Malformed() }
    return digest
  }

  fileprivate mutating func files() throws(Malformed) -> [ContentTree.SourceFile] {
    try list { input throws(Malformed) in
      ContentTree.SourceFile(
        path: try input.text(), size: Int(try input.number(Int64.self)), digest: try input.digest())
    }
  }

  fileprivate mutating func object() throws(Malformed) -> CompiledState.ObjectState {
    CompiledState.ObjectState(
      digest: try digest(), fileExtension: try text(), size: Int(try number(Int64.self)))
  }

  fileprivate mutating func place() throws(Malformed) -> Int { Int(try number(UInt32.self)) }

  fileprivate mutating func flag() throws(Malformed) -> Bool { try number(UInt8.self) == 1 }

  fileprivate mutating func entry() throws(Malformed) -> CompiledState.EntryState {
    CompiledState.EntryState(
      id: try text(),
      layers: try list { input throws(Malformed) in
        CompiledState.LayerState(file: try input.place(), locale: try input.text(), device: try input.text())
      }, isShared: try flag(), presence: try list { input throws(Malformed) in try input.flag() },
      prints: try list { input throws(Malformed) in try input.number() },
      assets: try list { input throws(Malformed) in try input.digest() })
  }

  fileprivate mutating func selection() throws(Malformed) -> CompiledState.SelectionState {
    CompiledState.SelectionState(
      name: try text(), entries: try list { input throws(Malformed) in try input.place() },
      whole: try list { input throws(Malformed) in try input.row() },
      split: try list { input throws(Malformed) in
        try input.list { input throws(Malformed) in
          CompiledState.SelectionState.SplitRow(entry: try input.place(), row: try input.place())
        }
      }, rows: try list { input throws(Malformed) in try input.row() },
      lists: try list { input throws(Malformed) in try input.object() })
  }

  private mutating func row() throws(Malformed) -> BundleRow {
    let object = try rowObject()
    let variants = try list { input throws(Malformed) in
      let (country, from, before) = (try input.text(), try input.text(), try input.text())
      return Classes.Variant(
        country: country.isEmpty ? nil : country,
        stretch: Classes.Stretch(from: AppVersion(from), before: AppVersion(before)), result: try input.rowObject())
    }
    guard let ttl = TimeSpan(seconds: Int(try number(Int64.self))) else { throw Malformed() }
    let format = PropertyListFormat(rawValue: try text())
    let isStartup = try flag()
    // What a startup bundle carries is read from its object when an index needs it.
    return BundleRow(
      object: object, variants: variants, ttl: ttl, format: format, startup: isStartup ? .dictionary(Members()) : nil)
  }

  private mutating func rowObject() throws(Malformed) -> BundleRow.Object {
    let (digest, size, count) = (try digest(), try number(Int64.self), try number(Int64.self))
    let (hasChanges, bits) = (try flag(), try number(UInt64.self))
    return BundleRow.Object(
      digest: digest, size: Int(size), count: Int(count),
      changes: hasChanges ? Instant(secondsSinceReferenceDate: Double(bitPattern: bits)) : nil)
  }
}
