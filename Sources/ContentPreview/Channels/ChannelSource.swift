package import ContentModel

/// A channel with which the build is compared: all that the preview needs of its target.
package struct ChannelSource: Sendable {
  /// The channel's name in `content.yaml`.
  package var name: String
  /// Reads the live release; one thread calls it at a time.
  package var readLive: @Sendable () throws(UnreadableChannel) -> LiveContent

  package init(
    name: String, readLive: @escaping @Sendable () throws(UnreadableChannel) -> LiveContent
  ) {
    (self.name, self.readLive) = (name, readLive)
  }
}

/// The live content of a channel at one moment.
package struct LiveContent: Sendable {
  /// The release's config.
  package struct Config: Sendable {
    package var release: Int
    package var bytes: [UInt8]
    /// The extension of the names of config and objects, without the dot.
    package var fileExtension: String
    /// The members of `contentc status --json` that the page shows: `of`, `issued` and `rollout`.
    package var facts: Members

    package init(
      release: Int, bytes: [UInt8], fileExtension: String, facts: Members = Members()
    ) {
      (self.release, self.bytes, self.fileExtension) = (release, bytes, fileExtension)
      self.facts = facts
    }
  }

  /// The readers whose live content is compared with the build.
  package enum Side: String, Sendable {
    /// The readers outside a rollout; all readers if no rollout is on.
    case stable
    /// The readers in a rollout; all readers if no rollout is on.
    case next
  }

  /// Returns the verified bytes of an object by its path, such as `objects/3f/3fa9….plist`.
  package typealias ReadObject = @Sendable (_ path: String) throws(UnreadableChannel) -> [UInt8]

  /// The config; `nil` if the channel has no release.
  package var config: Config?
  /// The paths of the release's objects.
  package var objects: Set<ExactString>
  /// Reads an object; several threads may call it.
  package var readObject: ReadObject
  /// Returns the paths of the objects that the readers of some locales and devices reach, in order.
  ///
  /// In a rollout, it may return the path of an object of both sides twice.
  package var reached:
    @Sendable (_ locales: [String], _ devices: [String]) throws(UnreadableChannel) -> [String]
  /// Returns the members of `contentc diff --json` for the current build and the readers of one side.
  package var changes:
    @Sendable (_ side: Side, _ readObject: @escaping ReadObject) throws(UnreadableChannel) ->
      Members

  package init(
    config: Config?, objects: Set<ExactString>, readObject: @escaping ReadObject,
    reached:
      @escaping @Sendable (_ locales: [String], _ devices: [String]) throws(UnreadableChannel) ->
      [String] = { _, _ in [] },
    changes:
      @escaping @Sendable (_ side: Side, _ readObject: @escaping ReadObject)
      throws(UnreadableChannel) -> Members
  ) {
    (self.config, self.objects) = (config, objects)
    (self.readObject, self.reached, self.changes) = (readObject, reached, changes)
  }

  /// The sides that have content of their own: two in a rollout.
  var sides: [Side] { config?.facts["rollout"] == nil ? [.stable] : [.stable, .next] }

  /// Returns the members of `/api/changes` that describe the release of a channel, and the compared side.
  func members(of channel: String, _ side: Side) -> Members {
    var members = config?.facts ?? Members()
    members["channel"] = .string(channel)
    members["release"] = config.map { .integer(Int64($0.release)) }
    if sides.count > 1 { members["side"] = .string(side.rawValue) }
    return members
  }
}

/// A failure to read a channel's target.
package struct UnreadableChannel: Error, Hashable {
  /// A sentence for people, without secrets.
  package var message: String

  package init(_ message: String) { self.message = message }
}
