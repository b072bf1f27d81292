import TestServers
import Testing

@testable import TestCommands

/// The site that `make site` builds from `docs/`, in a real browser.
///
/// The checks are in `Tests/ContentPreviewTests/Browser/site.py`.
@Suite("The site of the documentation", .needsServers) struct SiteTests {
  @Test(.timeLimit(.minutes(10))) func isCompleteAndLoadsNothingFromElsewhere() async throws {
    let sandbox = try Sandbox()
    let (python, site) = (
      ".build/tools/browser/bin/python", "Tests/ContentPreviewTests/Browser/site.py"
    )
    try await Threads.runApart {
      let outcome = try sandbox.shell(
        """
        cd '\(Sandbox.checkout)' && HOME='\(sandbox.root)' PYTHONDONTWRITEBYTECODE=1 \
        '\(python)' '\(site)'
        """)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
  }
}
