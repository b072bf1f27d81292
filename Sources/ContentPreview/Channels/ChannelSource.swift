package import ContentModel

/// A channel that the build is held against: all that the preview needs of the place where it is
/// published.
package struct ChannelSource: Sendable {
  /// As `content.yaml` has it.
  package var name: String
  /// What is live there now; called by one thread, one call after the other.
  package var look: @Sendable () throws(UnreadableChannel) -> LiveContent

  package init(name: String, look: @escaping @Sendable () throws(UnreadableChannel) -> LiveContent)
  {
    (self.name, self.look) = (name, look)
  }
}

/// What readers of a channel see, as it was when somebody looked.
package struct LiveContent: Sendable {
  /// The file that leads readers to everything else.
  package struct Config: Sendable {
    package var release: Int
    package var bytes: [UInt8]
    /// What its name and those of its objects end in, without the dot.
    package var fileExtension: String

    package init(release: Int, bytes: [UInt8], fileExtension: String) {
      (self.release, self.bytes, self.fileExtension) = (release, bytes, fileExtension)
    }
  }

  /// Gives an object's bytes, which are what its name says, by its path such as
  /// `objects/3f/3fa9….plist`.
  package typealias ObjectReading = @Sendable (_ path: String) throws(UnreadableChannel) -> [UInt8]

  /// `nil` where nothing was ever published.
  package var config: Config?
  /// The paths of all objects that are part of the release.
  package var objects: Set<String>
  /// Reads one of these; several threads may.
  package var read: ObjectReading
  /// What `contentc diff --json` tells of the current build; reads what it needs of the objects
  /// through the closure.
  package var changes:
    @Sendable (_ read: @escaping ObjectReading) throws(UnreadableChannel) -> Members

  package init(
    config: Config?, objects: Set<String>, read: @escaping ObjectReading,
    changes:
      @escaping @Sendable (_ read: @escaping ObjectReading) throws(UnreadableChannel) -> Members
  ) {
    (self.config, self.objects, self.read, self.changes) = (config, objects, read, changes)
  }
}

/// Why nobody can look at a channel.
package struct UnreadableChannel: Error, Hashable {
  /// A sentence for a person, which holds no secret.
  package var message: String

  package init(_ message: String) { self.message = message }
}
