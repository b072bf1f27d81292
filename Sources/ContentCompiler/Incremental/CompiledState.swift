import ContentModel
import ContentSource

/// The state of a build, from which a later build can recompile only the affected bundles.
///
/// The states of entries and files are in parts. A part stays encoded and unchecked until an edit
/// needs it.
package struct CompiledState: Sendable {
  /// The states of the entries of a datatype, or of the files of a folder.
  struct Part: Sendable {
    /// The datatype of the entries, or the folder of the files.
    var name: String
    /// The numbers of the items; entries and files are numbered separately, from 0.
    var items: Range<Int>
    /// The part of the build record about the items; `nil` if all of them are withheld.
    var record: ObjectState?
    /// The digest of the bytes.
    var digest: Digest
    var bytes: ArraySlice<UInt8>
  }

  /// The layers of an entry, and its facts.
  struct EntryState: Hashable, Sendable {
    /// The id without the datatype.
    var rest: String
    /// The layers in the order of reading.
    var layers: [LayerState]
    /// `true` if all devices of a locale show the same; this affects the order of objects in
    /// bundles.
    var isShared: Bool
    /// By context: `true` if the entry is present; empty if all contexts show it.
    var presence: [Bool]
    /// `true` if an embargo keeps the entry unpublished.
    var isWithheld: Bool
    /// By locale: the fingerprint of its facts.
    var fingerprints: [UInt64]
    var assets: [Digest]
  }

  /// One layer of an entry.
  struct LayerState: Hashable, Sendable {
    /// The number of its file.
    var file: Int
    var kind: LayerKind
  }

  /// The locale and device of a layer.
  struct LayerKind: Hashable, Sendable {
    /// The locale; empty in the source locale's files.
    var locale: String
    /// The device; empty if the file's name has none.
    var device: String
  }

  /// A source file.
  struct FileState: Hashable, Sendable {
    /// The name in its folder.
    var name: String
    /// The number of bytes.
    var size: Int
    var digest: Digest
    /// `true` if an embargo keeps its name out of the build record.
    var isWithheld: Bool
    /// The places of the datatypes with layers in the file.
    var datatypes: [Int]
  }

  /// A context, with the data that the choice of layers needs.
  struct ContextState: Hashable, Sendable {
    var name: String
    var locale: String
    var chain: [String]
    var ancestry: [String]

    func consults(_ kind: LayerKind) -> Bool {
      (kind.locale.isEmpty || chain.contains(kind.locale))
        && (kind.device.isEmpty || ancestry.contains(kind.device))
    }
  }

  /// The rows of a bundle.
  ///
  /// A tile of a bundle that is split by place is a selection of its own, after that of the bundle.
  struct SelectionState: Sendable {
    /// The name of the bundle, or of its tile.
    var name: String
    var entries: [Int]
    /// By context: the row of a bundle that is one object.
    var whole: [BundleRow]
    /// By context: the entries of a split bundle, each with its place in `rows`.
    var split: [[SplitRow]]
    /// The distinct rows of a split bundle.
    var rows: [BundleRow]
    /// By context: the list of a split bundle.
    var lists: [ObjectState]
    /// By context: the next end of an embargo on an entry of a split bundle; empty if there is
    /// none.
    var listChanges: [Instant?]
    /// The field by which a bundle is split into tiles; `nil` for another bundle, and a tile.
    var placeField: ExactString?

    /// The name of the bundle, also for its tile.
    var bundle: String { String(name.prefix { $0 != "/" }) }

    /// The tile; `nil` for a bundle.
    var tile: Quadkey? {
      BundleParts.Kind.tiles.key(of: name, in: bundle).flatMap { Quadkey($0) }
    }

    struct SplitRow: Hashable, Sendable {
      var entry: Int
      var row: Int
    }
  }

  /// An object of the build.
  struct ObjectState: Hashable, Sendable {
    var digest: Digest
    var fileExtension: String
    var size: Int
  }

  var contexts: [ContextState]
  /// The entries, by datatype.
  var datatypes: [Part]
  /// The fingerprints of layers, by datatype.
  var fingerprints: [LayerFingerprints]
  /// The files, including used assets, by folder.
  var folders: [Part]
  var selections: [SelectionState]
  /// The index of each context.
  var indexes: [ObjectState]
  /// The assets and maintenance payloads, which no edit of an entry's text changes.
  var fixed: [ObjectState]
  /// The value of config.
  var config: Value

  /// An error for a part with a wrong hash or wrong numbers.
  struct Damaged: Error {}
}
