import TestServers
import Testing

@testable import TestCommands

/// The preview's page in a real browser.
///
/// The checks are in `Tests/ContentPreviewTests/Browser`.
///
/// The tests run sequentially, because a browser and a build keep two processors busy. Each group of
/// checks is a test of its own, so that only those that failed are repeated.
@Suite("The preview in a browser", .needsServers, .serialized) struct PreviewBrowserTests {
  @Test(.timeLimit(.minutes(10))) func showsWhatAReaderGets() async throws {
    try await passes("reader", "switches", "frame", "sources", "panels")
  }

  @Test(.timeLimit(.minutes(10))) func isUsableByEveryone() async throws {
    try await passes("keyboard", "design", "layout", "accessibility", "pictures")
  }

  @Test(.timeLimit(.minutes(10))) func followsChannelsAndSaves() async throws {
    try await passes("channels", "live", "hostile")
  }

  @Test(.timeLimit(.minutes(10))) func worksWithoutAServerOfItsOwn() async throws {
    try await passes("export")
  }

  @Test(.timeLimit(.minutes(10))) func showsAnotherKindOfProject() async throws {
    try await passes("museum")
  }

  @Test(.timeLimit(.minutes(10))) func showsMapsAndMarkdown() async throws {
    try await passes("map", "markdown")
  }

  @Test(.timeLimit(.minutes(10))) func savesTranslations() async throws {
    try await passes("translations")
  }

  /// Runs the checks of some groups, which share a preview and a browser: these take seconds to
  /// start.
  private func passes(_ groups: String...) async throws {
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
