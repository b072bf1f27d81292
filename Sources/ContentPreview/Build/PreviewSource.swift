package import ContentBuild
package import ContentModel
package import ContentSource
package import Diagnostics

/// The content and the way to build it: all that the preview needs of the commands.
package struct PreviewSource: Sendable {
  /// The content folder as typed.
  package var content: String
  /// The output folder as typed.
  package var out: String
  /// The output of edits that is not written to the output folder yet.
  package var fresh: FreshFiles
  /// Builds after a change, the first time after `.anything`; calls do not overlap.
  package var build: @Sendable (ContentChange) -> BuildAttempt
  /// Writes the results of builds to disk and prepares the next edit, when there is time; called by
  /// the thread that builds.
  package var persistAndPrepare: @Sendable () -> PersistResult
  /// Returns the next moment at which content changes by itself; called by the thread that builds.
  package var nextChange: @Sendable () -> Instant?
  /// Reads the content; returns `nil` if `content.yaml` is invalid.
  package var read: @Sendable () -> ContentTree?
  /// The channels with which the build is compared.
  package var channels: [ChannelSource]
  /// Reads `content.yaml` alone; returns `nil` if it is invalid.
  package var project: @Sendable () -> Project?
  /// The translations of the content; `nil` if the page does not show them.
  package var translations: PreviewTranslations?
  /// The editor that pages on this machine open files in.
  package var editor: EditorLink?
  /// This machine's addresses on the network; empty if the server is local only.
  package var networkAddresses: [String]
  /// The options of the running preview, each as a word of a shell's command, without the port: with
  /// them, the page can say how to start the preview again.
  package var arguments: [String]
  /// Returns the current time.
  package var now: @Sendable () -> Instant

  package init(
    content: String, out: String, fresh: FreshFiles = FreshFiles(),
    build: @escaping @Sendable (ContentChange) -> BuildAttempt,
    persistAndPrepare: @escaping @Sendable () -> PersistResult = { .done },
    nextChange: @escaping @Sendable () -> Instant? = { nil },
    read: @escaping @Sendable () -> ContentTree?,
    channels: [ChannelSource] = [],
    project: @escaping @Sendable () -> Project? = { nil },
    translations: PreviewTranslations? = nil, editor: EditorLink? = nil,
    networkAddresses: [String] = [], arguments: [String] = [],
    now: @escaping @Sendable () -> Instant
  ) {
    self.content = content
    self.out = out
    self.fresh = fresh
    self.build = build
    self.persistAndPrepare = persistAndPrepare
    self.nextChange = nextChange
    self.read = read
    self.channels = channels
    self.project = project
    self.translations = translations
    self.editor = editor
    self.networkAddresses = networkAddresses
    self.arguments = arguments
    self.now = now
  }
}

/// A change of a content folder.
package enum ContentChange: Hashable, Sendable {
  /// An unknown change.
  case anything
  /// A change of the files at these paths below the folder, which may be new or removed.
  case files(Set<ExactString>)

  /// No known change: the build checks whether the last result still applies, because a moment at
  /// which content changes has come, or a failure may be over.
  package static let nothingKnown = files([])

  /// Adds another change to this one.
  package mutating func formUnion(_ other: ContentChange) {
    switch (self, other) {
    case (.files(let own), .files(let more)): self = .files(own.union(more))
    default: self = .anything
    }
  }
}

/// The result of an attempt to build the content.
package enum BuildAttempt: Sendable {
  /// The content was compiled. With errors among the diagnostics, nothing was written.
  case finished(
    facts: Members, diagnostics: [Diagnostic], source: @Sendable (_ path: ExactString) -> [UInt8]?)
  /// Another process is building into the folder.
  case busy
  /// A file could not be read or written.
  case failed(Diagnostic)
}

/// The result of writing the output of edits to the output folder.
package enum PersistResult: Sendable {
  /// All output is in the folder.
  case done
  /// Another process is building into the folder; the output is still to be written.
  case busy
  /// The folder cannot be written, with the reason; the output is still to be written.
  case unwritable(reason: String)
  /// Another process has built into the folder meanwhile; a full check is needed.
  case superseded
}
