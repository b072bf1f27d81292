import ContentModel
import ContentPreview
import ContentSource

extension PreviewCommand {
  /// What is previewed: this process builds as `contentc build` does, so that edits are quick.
  var source: PreviewSource {
    let (content, out, instant, flags) = (input.content, out, moment.at, JudgingFlags(common))
    return PreviewSource(
      content: content.withoutTrailingSlashes, out: out.withoutTrailingSlashes,
      build: { Self.attempt(BuildCommand(content: content, out: out, at: instant, flags)) },
      read: { try? Self.tree(content) }, explanation: { ExplanationPage(explanation: $0).previewMembers },
      now: { Clock.now })
  }

  private static func attempt(_ command: BuildCommand) -> BuildAttempt {
    do {
      let report = try Failure.ofDelivery { try command.perform() }
      return .finished(facts: report.json, diagnostics: report.diagnostics, source: report.sources.bytes)
    } catch let failure as Failure where failure.status == .tryAgain {
      return .busy
    } catch let failure as Failure {
      return .failed(failure.diagnostic)
    } catch {
      return .failed(Failure(.inputOutput, "unwritable", "\(error)").diagnostic)
    }
  }

  private static func tree(_ content: String) throws -> ContentTree? {
    var options = ContentOptions()
    options.content = content
    var input = try ContentInput(options)
    return input.takeTree()
  }
}

/// The flags that make a warning an error.
struct JudgingFlags: Sendable {
  let areAllErrors: Bool
  let errors: [String]

  init(_ common: CommonOptions) { (areAllErrors, errors) = (common.warningsAsErrors, common.errorOn) }
}

extension BuildCommand {
  /// The command as the preview runs it: it says nothing itself.
  fileprivate init(content: String, out: String, at instant: Instant?, _ flags: JudgingFlags) {
    self.init()
    (input, moment, common) = (ContentOptions(), InstantOptions(), CommonOptions())
    (input.content, self.out, moment.at) = (content, out, instant)
    (gzip, fresh, cache) = (true, false, nil)
    (common.json, common.quiet, common.diagnostics) = (false, true, nil)
    (common.warningsAsErrors, common.errorOn) = (flags.areAllErrors, flags.errors)
  }
}

extension ExplanationPage {
  /// As `contentc explain --json` prints it.
  fileprivate var previewMembers: Members {
    var members = members
    (members["ok"], members["errors"], members["warnings"]) = (true, 0, 0)
    return members
  }
}
