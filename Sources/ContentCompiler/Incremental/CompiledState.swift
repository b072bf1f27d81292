package import ContentModel
import ContentSource

/// What a build made of which files: enough to make only that anew which an edit reaches.
package struct CompiledState: Sendable {
  /// What an entry is made of, and what it had to say.
  struct EntryState: Hashable, Sendable {
    var id: String
    /// In the order in which the layers were read.
    var layers: [LayerState]
    /// Whether all devices of a locale see the same, which decides on the order of objects in bundles.
    var isShared: Bool
    /// By context: whether the entry is there; empty where it always is.
    var presence: [Bool]
    /// By locale: a print of what the rest of the build must know of it.
    var prints: [UInt64]
    var assets: [Digest]

    func isPresent(in context: Int) -> Bool { presence.isEmpty || presence[context] }
  }

  /// One layer of an entry.
  struct LayerState: Hashable, Sendable {
    /// Its file's place among the sources.
    var file: Int
    /// Empty in the source locale's files.
    var locale: String
    /// Empty where the file's name has none.
    var device: String
  }

  /// A context, as the choice of layers needs it.
  struct ContextState: Hashable, Sendable {
    var name: String
    var locale: String
    var chain: [String]
    var ancestry: [String]

    func consults(_ layer: LayerState) -> Bool {
      (layer.locale.isEmpty || chain.contains(layer.locale))
        && (layer.device.isEmpty || ancestry.contains(layer.device))
    }
  }

  /// A bundle's rows.
  struct SelectionState: Sendable {
    var name: String
    var entries: [Int]
    /// By context, of a bundle that is one object.
    var whole: [BundleRow]
    /// By context, of a split bundle: the entries that are there, each with its row's place in `rows`.
    var split: [[SplitRow]]
    /// The distinct rows of a split bundle.
    var rows: [BundleRow]
    /// By context, the list of a split bundle.
    var lists: [ObjectState]

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
  var sources: [ContentTree.SourceFile]
  /// By id.
  var entries: [EntryState]
  var selections: [SelectionState]
  /// By context.
  var indexes: [ObjectState]
  /// By context.
  var payloads: [Digest]
  /// Assets and payloads: what no edit of an entry's text reaches.
  var fixed: [ObjectState]
  var assetSources: [ContentTree.SourceFile]
  var retryAfter: Int
  /// Files of the build that are no objects, config and links apart, below the output folder.
  var pages: [String]

  /// The SHA-256 of a source file, as it was when it was compiled.
  package func digest(of path: String) -> Digest? { sources.first { $0.path == path }?.digest }
}
