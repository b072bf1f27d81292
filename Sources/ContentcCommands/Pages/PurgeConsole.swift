import ContentCaches
import ContentPurging
import Diagnostics
import Synchronization
import System

/// A printer of the steps of a purge, each at once: after a purge was killed, the log says whether
/// its release is live.
///
/// A class, since it keeps the caches that it has warned about.
final class PurgeConsole {
  private let notes: WaitNotes
  private let write: (_ line: String) -> Void
  /// The line on the terminal that shows the current step.
  let bar: PurgeBar
  /// The caches with a warning that they are emptied completely.
  private var emptied: [String] = []

  /// Creates a console that prints lines through `write`, and titles of slow steps through `notes`; it
  /// prints nothing if notes are not wanted.
  init(_ notes: WaitNotes, write: @escaping (_ line: String) -> Void = PurgeConsole.printAtOnce) {
    (self.notes, self.write) = (notes, write)
    bar = PurgeBar(notes)
  }

  /// Without a terminal, the steps are the beginning of the report.
  private static func printAtOnce(_ line: String) {
    try? (Terminal.error.isInteractive ? Terminal.error : .output).write(line + "\n")
  }

  /// Prints a line.
  func say(_ line: String) {
    guard notes.areWanted else { return }
    bar.end()
    write(line)
  }

  /// Prints an event of a purge, and shows the progress of the step that begins.
  func watch(_ event: PurgeEvent) {
    bar.end()
    var isTold = false
    // The reason for a wait is printed at once, also without a terminal.
    if case .held(let holder) = event.step {
      isTold = true
      try? Terminal.error.write("The removal of objects waits for \(holder)\n")
    }
    switch event.step {
    case .purging(let plans, _): warn(plans)
    case .resuming(let purge):
      say(
        "Finishing purge \(purge.begun.number) (\(purge.begun.reason.harmless)), release \(purge.begun.release)"
      )
    case .notBegun(let error):
      say("NOT begun: \((error as? Failure)?.diagnostic.message ?? "\(error)")")
    default: break
    }
    for line in Self.lines(event.step) { say("  \(event.seconds.seconds)  \(line)") }
    if let title = Self.title(event.step) { bar.begin(title, isTold: isTold) }
  }

  private func warn(_ plans: [CachePurge.Plan]) {
    for plan in plans where plan.emptiesAll && !emptied.contains(plan.cache) {
      emptied.append(plan.cache)
      say("  WARNING: \(plan.emptiesAllSentence)")
    }
  }

  /// Returns the title of a step that begins; `nil` for a step that has ended.
  static func title(_ step: PurgeEvent.Step) -> String? {
    switch step {
    case .purging(_, let what): "Purging \(what)"
    case .looking(let url): "Reading \(url)"
    case .held(let holder): "Waiting for \(holder)"
    case .removing: "Removing objects"
    case .waiting(let seconds): "Waiting \(seconds) s for older answers of the origin"
    case .asking(let count): "Asking for \(count.counted("removed object"))"
    case .delivering(let count): "Asking for \(count.counted("object")) of the release"
    default: nil
    }
  }

  /// Returns the lines about a step that has ended; empty for one that begins.
  private static func lines(_ step: PurgeEvent.Step) -> [String] {
    switch step {
    case .resuming, .notBegun, .purging, .looking, .held, .removing, .waiting, .asking,
      .delivering:
      []
    case .published(let release): ["release \(release) is live"]
    case .purged(let caches, let what):
      caches.filter { $0.failure == nil }.map { cache in
        "\(cache.cache) purged \(what): \(cache.requests.counted("request")), "
          + "\(cache.seconds.rounded(toPlaces: 3)) s"
      }
    case .lagging(let reason): ["readers do NOT get it yet: \(reason)"]
    case .fresh(let url): ["readers get it: \(url)"]
    case .removed(let count, let kept):
      [
        "removed \(count.counted("object"))"
          + (kept > 0 ? "; \(kept.grouped) kept, because live releases show them" : "")
      ]
    case .waited: ["the origin can no longer deliver an older answer"]
    case .gone(let count): ["no copy is left of \(count.counted("removed object"))"]
    case .delivered(let count):
      ["readers get \(count.counted("object")) that \(count == 1 ? "was" : "were") sent again"]
    case .recorded: ["recorded"]
    case .failed(let why): ["FAILED: \(why)"]
    }
  }
}

extension CachePurge.Plan {
  /// `true` if the plan also purges unrelated content.
  var emptiesAll: Bool { selectors.contains(.everything) }

  /// The warning about such a plan.
  var emptiesAllSentence: String {
    "\(cache) is emptied completely, because the URLs exceed its quota or take longer than a "
      + "minute; with 'keys: origin', if it supports that, only this app's objects are purged"
  }
}

/// A line on a terminal that shows the progress of one step of a purge; elsewhere, the title of a step
/// that is slow.
///
/// A class, since requests to caches report their progress on several threads.
final class PurgeBar: Sendable {
  private let notes: WaitNotes
  private let progress = Mutex<Progress?>(nil)
  private let slowSteps: SlowSteps

  init(_ notes: WaitNotes) { (self.notes, slowSteps) = (notes, SlowSteps(notes)) }

  /// Begins a step; `isTold` is `true` if a line about it was printed.
  func begin(_ title: String, isTold: Bool = false) {
    progress.withLock { $0 = Progress(title, isWanted: notes.areWanted) }
    if !isTold, !Terminal.error.isInteractive { slowSteps.begin(title) }
  }

  @Sendable func advance(_ step: CachePurge.Progress) {
    let cells = Progress.cells(step.done, of: step.total)
    let count = "\(step.done.grouped) of \(step.total.counted("request"))"
    progress.withLock { $0?.begin("Purging \(step.cache) \(cells) \(count)") }
  }

  func end() {
    progress.withLock { progress in
      progress?.finish()
      progress = nil
    }
    slowSteps.end()
  }
}

/// The steps of a command, one after another; the title of a slow one is printed.
///
/// A class, since it keeps the present step.
final class SlowSteps: Sendable {
  private let notes: WaitNotes
  private let present = Mutex<SlowStep?>(nil)

  init(_ notes: WaitNotes) { self.notes = notes }

  /// Ends the present step, and begins the one with a title, if any.
  func begin(_ title: String?) {
    end()
    guard let title else { return }
    let step = SlowStep(title, tell: notes.say)
    step.begin()
    present.withLock { $0 = step }
  }

  /// Ends the present step, if any.
  func end() {
    let ended = present.withLock { present in
      defer { present = nil }
      return present
    }
    ended?.end()
  }
}

extension Double {
  /// The number of seconds as text, such as `  0.14 s`.
  fileprivate var seconds: String { "\(rounded(toPlaces: 2)) s".paddedLeft(to: 8) }
}
