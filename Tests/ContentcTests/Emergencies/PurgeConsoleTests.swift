import ContentCaches
import ContentPurging
import HTTPTransport
import Platform
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
    return CachePurge([fastly], send: send, surroundings: .system).plan([scope])
  }

  @Test func warnsOnceBeforeACacheIsEmptied() {
    let console = PurgeConsole(isWanted: true)
    for what in ["removed objects", "removed objects again"] {
      console.watch(PurgeEvent(step: .purging(plans(7_000), what: what), seconds: 1))
    }
    #expect(console.text.split(separator: "\n").count == 1, "\(console.text)")
    #expect(
      console.text.hasPrefix("  WARNING: fastly is emptied completely"), "\(console.text)")
  }

  @Test func printsNothingWhenAStepBegins() {
    let console = PurgeConsole(isWanted: true)
    let steps: [PurgeEvent.Step] = [
      .purging(plans(10), what: "config"), .looking(url: "https://a.example"), .removing,
      .waiting(seconds: 10),
      .asking(urls: 1),
    ]
    for step in steps { console.watch(PurgeEvent(step: step, seconds: 1)) }
    console.bar.end()
    #expect(console.text.isEmpty)
    console.watch(PurgeEvent(step: .waited, seconds: 11))
    #expect(
      console.text.hasSuffix("s  the origin can no longer deliver an older answer\n"))
  }

  @Test(arguments: [(0, 0, 20), (0, 8, 0), (4, 8, 10), (8, 8, 20)])
  func drawsAProgressBar(done: Int, all: Int, cells: Int) {
    let bar = Progress.cells(done, of: all)
    #expect(bar.count == 20 && bar.count { $0 == "█" } == cells)
  }
}
