import ContentSource
import HTTPTransport

/// A cache that a purge leaves out because it is out of service, or one of its machines.
struct OmittedCache: Hashable {
  /// The name of the cache in content.yaml.
  var cache: String
  /// The machine as `host:port`; `nil` for all machines of the cache.
  var node: String?

  init(cache: String, node: String? = nil) { (self.cache, self.node) = (cache, node) }

  /// Reads `varnish`, or `varnish@10.0.0.7:6081` for one machine.
  init(_ word: String) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(cache: String(parts[0]), node: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// The word after `--without`.
  var word: String { cache + (node.map { "@\($0)" } ?? "") }

  /// The name in a sentence.
  var name: String { cache + (node.map { " at \($0)" } ?? "") }
}

extension CacheLayer {
  /// The machines of a self-hosted cache, as `host:port`; empty for a vendor's CDN.
  var nodeHosts: [String] { (settings["nodes"] ?? []).compactMap { WebAddress($0)?.host } }

  /// Returns the cache without some machines; `nil` if none is left.
  fileprivate func leavingOut(_ omitted: [OmittedCache]) -> CacheLayer? {
    let omitted = omitted.filter { $0.cache == name.rawValue }
    if omitted.isEmpty { return self }
    if omitted.contains(where: { $0.node == nil }) { return nil }
    var layer = self
    layer.settings["nodes"] = settings["nodes"]?.filter { address in
      !omitted.contains { $0.node == WebAddress(address)?.host }
    }
    return layer.isPurgeable ? layer : nil
  }
}

extension Channel {
  /// The caches that content.yaml has settings for, from the origin outward.
  var purgeableCaches: [CacheLayer] { caches.filter(\.isPurgeable) }

  /// Returns the same caches without those and the machines that are out of service.
  func purgeableCaches(without omitted: [OmittedCache]) -> [CacheLayer] {
    purgeableCaches.compactMap { $0.leavingOut(omitted) }
  }
}
