package import ContentModel
import ContentSource
import PropertyLists

extension CompiledState {
  /// The state as bytes that `init(_:named:)` reads.
  package var encoded: [UInt8] {
    var head = ByteBuilder()
    head.append(contexts) { output, context in
      output.append(context.name)
      output.append(context.locale)
      output.append(context.chain) { $0.append($1) }
      output.append(context.ancestry) { $0.append($1) }
    }
    for parts in [datatypes, folders] { head.append(parts) { $0.append($1) } }
    head.append(fingerprints) { output, fingerprints in
      output.append(fingerprints.digest)
      output.append(UInt32(fingerprints.bytes.count))
    }
    head.append(selections) { $0.append($1) }
    head.append(indexes) { $0.append($1) }
    head.append(fixed) { $0.append($1) }
    head.append(counted: (try? PropertyList.encode(config, as: .binary)) ?? [])
    let parts = (datatypes + folders).map(\.bytes) + fingerprints.map(\.bytes)
    var output = ByteBuilder(capacity: parts.reduce(head.bytes.count + 4) { $0 + $1.count })
    output.append(counted: head.bytes[...])
    for part in parts { output.append(raw: part) }
    return output.bytes
  }

  /// The name of an encoded state: the hash of its head, which has a hash of every part.
  package static func name(of encoded: [UInt8]) -> Digest {
    let head = encoded.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return (try? reader.counted()).map { Array($0) }
    }
    return Digest(of: head ?? [])
  }

  /// Reads a result of `encoded` with this name; `nil` for any other bytes.
  ///
  /// A part is checked when an edit needs it.
  package init?(_ bytes: [UInt8], named name: Digest) {
    guard Self.name(of: bytes) == name else { return nil }
    let state = bytes.withUnsafeBytes { buffer -> CompiledState? in
      var reader = ByteReader(buffer)
      guard let head = try? reader.counted() else { return nil }
      var headReader = ByteReader(head)
      return try? CompiledState(from: &headReader, parts: bytes[reader.offset...])
    }
    guard let state else { return nil }
    self = state
  }

  private init(from input: inout ByteReader, parts bytes: ArraySlice<UInt8>) throws(ByteReader
    .Malformed)
  {
    var rest = bytes
    contexts = try input.list { input throws(ByteReader.Malformed) in
      ContextState(
        name: try input.text(), locale: try input.text(), chain: try input.texts(),
        ancestry: try input.texts())
    }
    datatypes = try input.list { input throws(ByteReader.Malformed) in try input.part(&rest) }
    folders = try input.list { input throws(ByteReader.Malformed) in try input.part(&rest) }
    fingerprints = try input.list { input throws(ByteReader.Malformed) in
      let (digest, size) = (try input.digest(), try input.place())
      return LayerFingerprints(encoded: try rest.taken(size), digest: digest)
    }
    guard fingerprints.count == datatypes.count else { throw ByteReader.Malformed() }
    selections = try input.list { input throws(ByteReader.Malformed) in try input.selection() }
    indexes = try input.list { input throws(ByteReader.Malformed) in try input.object() }
    fixed = try input.list { input throws(ByteReader.Malformed) in try input.object() }
    guard let config = try? PropertyList.decode(Array(try input.counted())).value else {
      throw ByteReader.Malformed()
    }
    self.config = config
    guard input.isAtEnd, rest.isEmpty, isCoherent else { throw ByteReader.Malformed() }
  }
}

extension ByteBuilder {
  fileprivate mutating func append(_ part: CompiledState.Part) {
    append(part.name)
    append(UInt32(part.items.lowerBound))
    append(UInt32(part.items.count))
    append([part.record].compactMap(\.self)) { $0.append($1) }
    append(part.digest)
    append(UInt32(part.bytes.count))
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
    append(selection.listChanges) { $0.append($1) }
    append(selection.placeField?.text ?? "")
  }

  fileprivate mutating func append(_ object: CompiledState.ObjectState) {
    append(object.digest)
    append(object.fileExtension)
    append(Int64(object.size))
  }

  fileprivate mutating func append(_ row: BundleRow) {
    append(row.object)
    append(row.variants) { output, variant in
      for text in [
        variant.country, variant.stretch.from?.description, variant.stretch.before?.description,
      ] {
        output.append(text ?? "")
      }
      output.append(variant.result)
    }
    append(Int64(row.ttl.seconds))
    append(row.format?.rawValue ?? "")
    append(UInt8(row.startup == nil ? 0 : 1))
  }

  private mutating func append(_ object: BundleRow.Object) {
    append(object.digest)
    append(Int64(object.size))
    append(Int64(object.count))
    append(object.changes)
    append(object.recipe.map { [$0] } ?? []) { output, recipe in
      output.append(recipe.digest)
      output.append(Int64(recipe.size))
    }
  }

  private mutating func append(_ instant: Instant?) {
    append(UInt8(instant == nil ? 0 : 1))
    append((instant?.secondsSinceReferenceDate ?? 0).bitPattern)
  }
}

extension ArraySlice<UInt8> {
  /// Removes and returns a number of bytes at the front.
  fileprivate mutating func taken(_ size: Int) throws(ByteReader.Malformed) -> ArraySlice<UInt8> {
    guard size <= count else { throw ByteReader.Malformed() }
    defer { self = dropFirst(size) }
    return prefix(size)
  }
}

extension ByteReader {
  fileprivate mutating func object() throws(Malformed) -> CompiledState.ObjectState {
    CompiledState.ObjectState(
      digest: try digest(), fileExtension: try text(), size: Int(try number(Int64.self)))
  }

  /// A part, whose bytes are the next of all parts' bytes.
  fileprivate mutating func part(_ bytes: inout ArraySlice<UInt8>) throws(Malformed)
    -> CompiledState.Part
  {
    let (name, first, count) = (try text(), try place(), try place())
    let record = try list { input throws(Malformed) in try input.object() }.first
    let (digest, size) = (try digest(), try place())
    return CompiledState.Part(
      name: name, items: first..<first + count, record: record, digest: digest,
      bytes: try bytes.taken(size))
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
      lists: try list { input throws(Malformed) in try input.object() },
      listChanges: try list { input throws(Malformed) in try input.instant() },
      placeField: try placeField())
  }

  private mutating func placeField() throws(Malformed) -> ExactString? {
    let field = try text()
    return field.isEmpty ? nil : ExactString(field)
  }

  private mutating func row() throws(Malformed) -> BundleRow {
    let object = try rowObject()
    let variants = try list { input throws(Malformed) in
      let (country, from, before) = (try input.text(), try input.text(), try input.text())
      return AudienceClasses.Variant(
        country: country.isEmpty ? nil : country,
        stretch: AudienceClasses.Stretch(from: AppVersion(from), before: AppVersion(before)),
        result: try input.rowObject())
    }
    guard let ttl = TimeSpan(seconds: Int(try number(Int64.self))) else { throw Malformed() }
    let format = PropertyListFormat(rawValue: try text())
    let isStartup = try flag()
    // The content of a startup bundle is read from its object when an index needs it.
    return BundleRow(
      object: object, variants: variants, ttl: ttl, format: format,
      startup: isStartup ? .dictionary(Members()) : nil)
  }

  private mutating func rowObject() throws(Malformed) -> BundleRow.Object {
    let (digest, size, count) = (try digest(), try number(Int64.self), try number(Int64.self))
    let changes = try instant()
    let recipe = try list { input throws(Malformed) in
      BundleRow.Recipe(digest: try input.digest(), size: Int(try input.number(Int64.self)))
    }.first
    return BundleRow.Object(
      digest: digest, size: Int(size), count: Int(count), changes: changes, recipe: recipe)
  }

  private mutating func instant() throws(Malformed) -> Instant? {
    let (isThere, bits) = (try flag(), try number(UInt64.self))
    return isThere ? Instant(secondsSinceReferenceDate: Double(bitPattern: bits)) : nil
  }
}
