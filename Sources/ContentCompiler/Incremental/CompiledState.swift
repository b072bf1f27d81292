import ContentModel
import ContentSource

/// What a build made of which files: enough to make only that anew which an edit reaches.
///
/// What is known of single entries and files lies in parts, which stay encoded, and unchecked,
/// until an edit reaches them.
package struct CompiledState: Sendable {
  /// What is known of one stretch of entries, or of files.
  struct Part: Sendable {
    /// The datatype of the entries, or the folder of the files.
    var name: String
    /// Which numbers they have; those of files begin at 0 as well.
    var items: Range<Int>
    /// The part of the build record about them; `nil` where it may name none of them.
    var record: ObjectState?
    /// Of the encoded part.
    var digest: Digest
    var bytes: ArraySlice<UInt8>
  }

  /// What an entry is made of, and what it had to say.
  struct EntryState: Hashable, Sendable {
    /// The rest of its id.
    var rest: String
    /// In the order in which the layers were read.
    var layers: [LayerState]
    /// Whether all devices of a locale see the same, which decides on the order of objects in
    /// bundles.
    var isShared: Bool
    /// By context: whether the entry is there; empty where it always is.
    var presence: [Bool]
    /// True if an embargo keeps it out of everything that is published.
    var isWithheld: Bool
    /// By locale: a print of what the rest of the build must know of it.
    var prints: [UInt64]
    var assets: [Digest]
  }

  /// One layer of an entry.
  struct LayerState: Hashable, Sendable {
    /// Its file's number.
    var file: Int
    var kind: LayerKind
  }

  /// Whom a layer is for.
  struct LayerKind: Hashable, Sendable {
    /// Empty in the source locale's files.
    var locale: String
    /// Empty where the file's name has none.
    var device: String
  }

  /// A source file.
  struct FileState: Hashable, Sendable {
    /// Below its folder.
    var name: String
    /// In bytes.
    var size: Int
    var digest: Digest
    /// True if an embargo keeps its name out of the build record.
    var isWithheld: Bool
    /// The places of the datatypes that have layers in it.
    var datatypes: [Int]
  }

  /// A context, as the choice of layers needs it.
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

  /// A bundle's rows.
  struct SelectionState: Sendable {
    var name: String
    var entries: [Int]
    /// By context, of a bundle that is one object.
    var whole: [BundleRow]
    /// By context, of a split bundle: the entries that are there, each with its row's place in
    /// `rows`.
    var split: [[SplitRow]]
    /// The distinct rows of a split bundle.
    var rows: [BundleRow]
    /// By context, the list of a split bundle.
    var lists: [ObjectState]
    /// By context, the next end of an embargo on an entry of a split bundle; empty where there is
    /// none.
    var listChanges: [Instant?]

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
  /// Entries, by datatype.
  var datatypes: [Part]
  /// By datatype.
  var prints: [LayerPrints]
  /// Files, by folder; assets that content uses among them.
  var folders: [Part]
  var selections: [SelectionState]
  /// By context.
  var indexes: [ObjectState]
  /// Assets and payloads: what no edit of an entry's text reaches.
  var fixed: [ObjectState]
  /// The build's config.
  var config: Value

  /// A part that is not what it was when it was written.
  struct Damaged: Error {}
}
