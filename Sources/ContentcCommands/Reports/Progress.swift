import Diagnostics
import Dispatch
import Synchronization
import System

/// A line on a terminal that shows the progress of work that takes longer than half a second.
///
/// A class, since a timer reads the counts of the work.
package final class Progress: Sendable {
  private let title = Mutex("")
  private let count = Atomic(0)
  private let bytes = Atomic(0)
  private let expected = Atomic(0)
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
  private let line = Mutex(Line.hidden)

  /// The state of the line, which is never shown again after the end.
  private enum Line { case hidden, shown, gone }

  /// Starts to show progress on standard error if `isWanted`, and if standard error is a terminal.
  package init(_ title: String, isWanted: Bool) {
    begin(title)
    guard isWanted, Terminal.error.isInteractive else { return }
    let watch = Stopwatch()
    timer.withLock { timer in
      let ticks = DispatchSource.makeTimerSource(queue: .global())
      ticks.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(100))
      ticks.setEventHandler { [weak self] in self?.draw(watch.seconds) }
      ticks.resume()
      timer = ticks
    }
  }

  /// Begins another part of the work.
  package func begin(_ title: String) { self.title.withLock { $0 = title } }

  /// Counts one more object.
  package func advance() { count.add(1, ordering: .relaxed) }

  /// Sets the expected number of bytes, and shows a bar.
  package func expect(_ bytes: Int) { expected.store(bytes, ordering: .relaxed) }

  /// Counts one more object, and its bytes.
  package func advance(bytes more: Int) {
    bytes.add(more, ordering: .relaxed)
    advance()
  }

  /// Removes the line.
  package func finish() {
    timer.withLock { $0?.cancel() }
    line.withLock { line in
      if line == .shown { try? Terminal.error.write(TerminalText.erasedLine) }
      line = .gone
    }
  }

  private func draw(_ seconds: Double) {
    let objects = count.load(ordering: .relaxed)
    let counted = objects == 0 ? "" : " \(objects.grouped) objects,"
    let bar = Self.bar(bytes.load(ordering: .relaxed), of: expected.load(ordering: .relaxed))
    let title = title.withLock { $0 }
    line.withLock { line in
      guard line != .gone else { return }
      line = .shown
      try? Terminal.error.write(
        TerminalText.erasedLine + "\(title) …\(bar)\(counted) \(Int(seconds)) s")
    }
  }

  /// Returns a bar with its numbers, such as ` ███████░░░ 3.1 MB of 4.4 MB,`; empty if the expected
  /// number is unknown.
  package static func bar(_ bytes: Int, of expected: Int) -> String {
    guard expected > 0 else { return "" }
    let done = min(bytes, expected).asByteCount
    return " \(cells(bytes, of: expected)) \(done) of \(expected.asByteCount),"
  }

  /// Returns a bar such as `███████░░░`; a full one if `all` is 0.
  package static func cells(_ count: Int, of all: Int) -> String {
    let width = 20
    let done = all > 0 ? min(width, Int(Double(count) / Double(all) * Double(width))) : width
    return String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
  }
}
