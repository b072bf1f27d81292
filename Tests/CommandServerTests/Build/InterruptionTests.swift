import SystemC
import TestInputs
import Testing

@testable import TestCommands

@Suite("Control-C")
struct InterruptionTests {
  @Test(.timeLimit(.minutes(2)))
  func removesStagedFiles() throws {
    let sandbox = try Sandbox(Self.largeShop)
    let process = try sandbox.start(Sandbox.binary, ["build"])
    while !sandbox.entriesAreStaged, kill(process, 0) == 0 { usleep(2_000) }
    kill(process, SIGINT)
    #expect(Sandbox.wait(for: process) == 130)
    #expect(sandbox.tree("out").filter { !$0.bytes.isEmpty }.isEmpty)
    #expect(sandbox.entriesAreStaged == false)
  }

  /// A shop that is large enough for a build to continue after the first objects are staged.
  private static var largeShop: [(path: String, text: String)] {
    let entries = (0..<3_000).map { number in
      (
        path: "content/entries/product/p\(number).yaml",
        text: "title: Product \(number)\nprice: \(number)\n"
      )
    }
    return [WorkedExample.building[0], WorkedExample.building[1]] + entries
  }
}

extension Sandbox {
  /// `true` if a hidden folder of the output contains files.
  fileprivate var entriesAreStaged: Bool {
    tree("out").contains {
      $0.path.dropFirst("out/".count).hasPrefix(".") && $0.path.split(separator: "/").count > 2
    }
  }
}
