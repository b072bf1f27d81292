package import ContentBuild
package import ContentCompiler
package import ContentModel
package import ContentSource

/// What is previewed, and how it is built: all that the preview needs of the commands.
package struct PreviewSource: Sendable {
  /// The content folder, as it was typed.
  package var content: String
  /// The folder that is built into, as it was typed.
  package var out: String
  /// What a build has made and not yet put into that folder.
  package var fresh: FreshFiles
  /// Builds after a change, the first time after `.anything`; called by one thread, one call after
  /// the other.
  package var build: @Sendable (ContentChange) -> BuildAttempt
  /// Keeps for later what is not needed to look at a build; called by the same thread when there is
  /// time.
  package var persist: @Sendable () -> PersistResult
  /// When the content changes by itself next, as far as the last build knows; called by the same
  /// thread.
  package var nextChange: @Sendable () -> Instant?
  /// Reads the content; `nil` where `content.yaml` does not tell the locales and devices.
  package var read: @Sendable () -> ContentTree?
  /// An explanation as `contentc explain --json` prints it.
  package var explanation: @Sendable (Explanation) -> Members
  /// What is live beside it.
  package var channels: [ChannelSource]
  /// The declared devices in the order of `content.yaml`; empty where it cannot be read.
  package var devices: @Sendable () -> [String]
  /// The editor that the page may open files in, on this machine only.
  package var editor: EditorLink?
  /// This machine's addresses, where others on the network may look.
  package var networkAddresses: [String]
  /// What time it is.
  package var now: @Sendable () -> Instant

  package init(
    content: String, out: String, fresh: FreshFiles = FreshFiles(),
    build: @escaping @Sendable (ContentChange) -> BuildAttempt,
    persist: @escaping @Sendable () -> PersistResult = { .done },
    nextChange: @escaping @Sendable () -> Instant? = { nil },
    read: @escaping @Sendable () -> ContentTree?,
    explanation: @escaping @Sendable (Explanation) -> Members,
    channels: [ChannelSource] = [], devices: @escaping @Sendable () -> [String] = { [] },
    editor: EditorLink? = nil, networkAddresses: [String] = [],
    now: @escaping @Sendable () -> Instant
  ) {
    (self.content, self.out, self.fresh, self.build, self.persist) = (
      content, out, fresh, build, persist
    )
    self.nextChange = nextChange
    (self.read, self.explanation, self.now) = (read, explanation, now)
    (self.channels, self.devices) = (channels, devices)
    (self.editor, self.networkAddresses) = (editor, networkAddresses)
  }
}

/// What came of putting edits into the folder that were served without it.
package enum PersistResult: Sendable {
  case done
  /// Somebody else holds it for as long as a build takes: they are still to be put there.
  case later
  /// It cannot be written, for a reason in one sentence: they are still to be put there.
  case unwritable(String)
  /// Somebody else has built there meanwhile: everything is to be looked at.
  case overtaken
}
