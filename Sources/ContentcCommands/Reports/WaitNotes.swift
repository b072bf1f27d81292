import ContentModel
import Diagnostics
import Synchronization

/// The notes on standard error about what a command waits for.
///
/// A command prints them as soon as it waits, not with its report. A class, since the threads that wait
/// share the notes that were printed.
package final class WaitNotes: Sendable {
  /// No notes.
  package static let none = WaitNotes(areWanted: false)

  /// `true` if notes are printed.
  package let areWanted: Bool
  /// The printed notes, none of which is repeated.
  private let printed = Mutex<Set<ExactString>>([])

  package init(areWanted: Bool) { self.areWanted = areWanted }

  /// Prints that the command waits for a server, a program or a person.
  @Sendable package func waits(for name: String) { say("Waiting for \(name)") }

  /// Prints the title of a step that takes long.
  @Sendable package func say(_ title: String) {
    guard areWanted else { return }
    printed.withLock { printed in
      guard printed.insert(title) else { return }
      let line: TerminalText = "\(title)\n"
      // The line of a `Progress` is drawn again below the note.
      try? Terminal.error.write(Terminal.error.isInteractive ? .erasedLine + line : line)
    }
  }
}

extension CommonOptions {
  /// The notes of a new command: none if it is quiet, or if programs read its standard error.
  package var waitNotes: WaitNotes { WaitNotes(areWanted: !quiet && !json) }
}
