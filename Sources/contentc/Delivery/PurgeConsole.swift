import ContentDelivery

/// Shows the steps of a purge as they end: on a terminal at once, else in the report.
///
/// A class, since steps come one by one.
final class PurgeConsole {
  private let isWanted: Bool
  /// What was not shown yet.
  private(set) var text = ""

  init(isWanted: Bool) { self.isWanted = isWanted }

  func say(_ line: String) {
    guard isWanted else { return }
    if Terminal.error.isInteractive { try? Terminal.error.write(line + "\n") } else { text += line + "\n" }
  }

  func watch(_ event: PurgeEvent) {
    for line in Self.lines(event.step) { say("  \(event.seconds.seconds)  \(line)") }
  }

  private static func lines(_ step: PurgeEvent.Step) -> [String] {
    switch step {
    case .published(let release): ["release \(release) is live"]
    case .purged(let caches, let what):
      caches.filter { $0.failure == nil }.map {
        "\($0.cache) has forgotten \(what): \($0.requests.of("request")), \($0.seconds.rounded(toPlaces: 3)) s"
      }
    case .fresh(let url): ["readers get it: \(url)"]
    case .removed(let count, let kept):
      ["removed \(count.of("object"))" + (kept > 0 ? "; \(kept.grouped) stay, since another channel shows them" : "")]
    case .waited: ["no answer of the origin from before is under way any more"]
    case .gone(let count): ["no copy is left of \(count.of("removed object"))"]
    case .recorded: ["written down"]
    case .failed(let why): ["FAILED: \(why)"]
    }
  }
}

extension Double {
  /// As in `  0.14 s`.
  fileprivate var seconds: String { "\(rounded(toPlaces: 2)) s".leftPadded(to: 8) }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(width - count, 0)) + self
  }
}
