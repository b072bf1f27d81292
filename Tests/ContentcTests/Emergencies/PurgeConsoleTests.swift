import ContentCaches
import ContentPurging
import HTTPTransport
import System
import Testing

@testable import ContentcCommands

/// The output during a purge.
@Suite struct PurgeConsoleTests {
  private func plans(_ urls: Int) -> [CachePurge.Plan] {
    let scope = PurgeScope(
      urls: (0..<urls).map { "https://cdn.example.com/objects/\($0)" }, keys: [],
      prefix: "https://cdn.example.com/")
    let fastly = FastlyCDN(service: "a", token: CDNSecret(variable: "A_TOKEN", value: "t"))
    let send: CachePurge.Send = { _ throws(HTTPFailure) in HTTPAnswer(status: 200) }
    return CachePurge([fastly], send: send, environment: .system).plan([scope])
  }

  @Test func warnsOnceBeforeACacheIsEmptied() {
    var lines: [String] = []
    let console = PurgeConsole(WaitNotes(areWanted: true)) { lines.append($0) }
    for what in ["removed objects", "removed objects again"] {
      console.watch(PurgeEvent(step: .purging(plans(7_000), what: what), seconds: 1))
    }
    #expect(lines.count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("  WARNING: fastly is emptied completely") == true, "\(lines)")
  }

  @Test func printsNothingWhenAStepBegins() {
    var lines: [String] = []
    let console = PurgeConsole(WaitNotes(areWanted: true)) { lines.append($0) }
    let steps: [PurgeEvent.Step] = [
      .purging(plans(10), what: "config"), .looking(url: "https://a.example"), .removing,
      .waiting(seconds: 10),
      .asking(urls: 1),
    ]
    for step in steps { console.watch(PurgeEvent(step: step, seconds: 1)) }
    console.bar.end()
    #expect(lines.isEmpty)
    console.watch(PurgeEvent(step: .waited, seconds: 11))
    #expect(lines.last?.hasSuffix("s  the origin can no longer deliver an older answer") == true)
  }

  @Test(arguments: [(0, 0, 20), (0, 8, 0), (4, 8, 10), (8, 8, 20)])
  func drawsAProgressBar(done: Int, all: Int, cells: Int) {
    let bar = Progress.cells(done, of: all)
    #expect(bar.count == 20 && bar.count { $0 == "█" } == cells)
  }
}
