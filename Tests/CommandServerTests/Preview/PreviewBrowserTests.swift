import TestServers
import Testing

@testable import TestCommands

/// The preview's page in a real browser.
///
/// The checks are in `Tests/ContentPreviewTests/Browser`.
///
/// The tests run sequentially, because a browser and a build keep two processors busy.
@Suite("The preview in a browser", .serialized) struct PreviewBrowserTests {
  /// Groups with one argument share a preview and a browser, which take seconds to start.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      ["reader", "switches", "frame", "sources", "panels"],
      ["keyboard", "design", "accessibility", "pictures"], ["channels", "live", "hostile"],
      ["museum"], ["map", "markdown"], ["translations"],
    ])
  func passesTheBrowserScenarios(groups: [String]) async throws {
    let sandbox = try Sandbox()
    let (python, run) = (
      ".build/tools/browser/bin/python", "Tests/ContentPreviewTests/Browser/run.py"
    )
    let only = groups.joined(separator: ",")
    try await Threads.runApart {
      let outcome = try sandbox.shell(
        """
        cd '\(Sandbox.checkout)' && HOME='\(sandbox.root)' PYTHONDONTWRITEBYTECODE=1 \
        '\(python)' '\(run)' --contentc '\(Sandbox.binary)' --sample content --only \(only)
        """)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
  }
}
