import ContentModel
import SiteFormat

/// All objects that need no request: stored ones and baked ones.
struct Shelf: Sendable {
  let storage: any ContentStorage
  let baked: BakedContent?

  /// Returns an object's bytes; `nil` if it is in neither place.
  func bytes(of object: SiteObject) -> [UInt8]? {
    storage.bytes(of: object) ?? baked?.objects.bytes(of: object)
  }

  /// Returns whether there is an object; with a size, whether it has so many bytes.
  func contains(_ object: SiteObject, size: Int? = nil) -> Bool {
    storage.contains(object, size: size) || baked?.objects.contains(object, size: size) ?? false
  }

  /// Returns whether there is an object whose bytes are right: they are read once in a process.
  func holds(_ object: SiteObject, size: Int? = nil) -> Bool {
    storage.holds(object, size: size) || baked?.objects.holds(object, size: size) ?? false
  }

  /// Returns the objects whose bytes were found to be wrong since the last call.
  func takeDamagedObjects() -> [SiteObject] {
    storage.takeDamagedObjects() + (baked?.objects.takeDamagedObjects() ?? [])
  }

  /// Returns the path of an object's file whose bytes are right; `nil` if there is none.
  func path(of object: SiteObject) -> String? {
    if storage.bytes(of: object) != nil { return storage.path(of: object) }
    return baked?.objects.bytes(of: object) != nil ? baked?.objects.path(of: object) : nil
  }
}

/// The folder that an app ships with: config and objects, opened in place.
struct BakedContent: Sendable {
  let objects: ObjectFolder
  /// The config; `nil` if there is none of the app's channel that this version reads and accepts.
  let config: SiteConfig?
  /// The keys and floors that the config's signatures prove; `nil` for content without signatures.
  let trust: TrustMemory?
  /// The reason for which the config is not accepted.
  let refusal: ContentError?

  /// Opens the folder; with a pinned document, the config must be signed by its keys, or by those
  /// of the documents that follow it.
  ///
  /// Its signatures have no end, since the signature of the app protects it, too.
  init(_ folder: String, for configuration: ContentConfiguration, pinned: KeyDocument?) {
    objects = ObjectFolder(folder)
    var trust = pinned.map { TrustMemory(pinned: $0) }
    do throws(ContentError) {
      let served = Self.served(in: folder)
      let config = try served.map { bytes throws(ContentError) in
        try SiteConfig(bytes, of: configuration, by: &trust)
      }
      (self.config, self.trust, refusal) = (config, config == nil ? nil : trust, nil)
    } catch {
      (config, self.trust, refusal) = (nil, nil, error)
    }
  }

  /// The config that a client may show, with its generation; `nil` if there is none.
  func shownConfig(in state: StoredState) -> (config: SiteConfig, generation: Int)? {
    guard let config, config.digest != state.voidBaked else { return nil }
    // Signed content is of the generation that its key documents began.
    return (config, trust.map { $0.recovery?.version ?? 0 } ?? state.generation)
  }

  private static func served(in folder: String) -> [UInt8]? {
    ["config.plist", "config.json"].lazy.compactMap {
      FolderFile.contents("\(folder)/\($0)", limit: LimitedPart.Kind.config.limit)
    }.first
  }
}

extension SiteConfig {
  /// Reads the app's own config.
  fileprivate init(
    _ served: [UInt8], of configuration: ContentConfiguration, by trust: inout TrustMemory?
  ) throws(ContentError) {
    var bytes = served
    do {
      if let verified = try trust?.verify(
        served, of: configuration.app, channel: configuration.channel,
        at: configuration.verificationClock.now, checkingExpiry: false)
      {
        bytes = verified.bytes
      }
    } catch { throw ContentError(.refused, because: "baked content: \(error.reason)") }
    do { try self.init(bytes) } catch {
      throw ContentError(.damaged, because: "the baked config cannot be read")
    }
    guard belongs(to: configuration.app, channel: configuration.channel) else {
      throw ContentError(.refused, because: "the baked config is of another app or channel")
    }
  }
}
