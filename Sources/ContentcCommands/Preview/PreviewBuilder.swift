import ContentModel
import ContentPreview
import ContentStore
import Diagnostics
import Synchronization

/// Builds as `contentc build` does, and quicker where it knows what changed since the last time.
///
/// A class, since it remembers the last build; its calls come one after the other.
final class PreviewBuilder: Sendable {
  private let command: BuildRequest
  private let fresh: FreshFiles
  private let last = Mutex(Last())

  /// What is left of the builds so far.
  private struct Last {
    /// The last build that was whole, as far as an edit can go on from it.
    var warm: WarmBuild?
    /// What changed since then.
    var change = ContentChange.files([])
  }

  init(_ command: BuildRequest, _ fresh: FreshFiles) { (self.command, self.fresh) = (command, fresh) }

  /// Builds after a change.
  func build(_ change: ContentChange) -> BuildAttempt {
    last.withLock { last in
      last.change.formUnion(change)
      do {
        if let attempt = try edited(&last) { return attempt }
        _ = try Failure.ofDelivery { try flush(&last) }
        let report = try Failure.ofDelivery { try command.perform() }
        if !report.diagnostics.hasErrors { last = Last() }
        return .finished(facts: report.json, diagnostics: report.diagnostics, source: report.sources.bytes)
      } catch let failure as Failure {
        return failure.status == .tryAgain ? .busy : .failed(failure.diagnostic)
      } catch {
        return .failed(Failure(.inputOutput, "unwritable", "\(error)").diagnostic)
      }
    }
  }

  /// Remembers the last build on disk, where `contentc build` finds it, and in this process.
  func settle() -> Settling {
    last.withLock { last in
      do { if try Failure.ofDelivery({ try !flush(&last) }) { return .overtaken } } catch let failure as Failure {
        return failure.status == .tryAgain ? .later : .unwritable(failure.diagnostic.message)
      } catch {
        return .unwritable("\(error)")
      }
      guard case .files(let changed) = last.change, changed.isEmpty else { return .done }
      if last.warm == nil { last.warm = WarmBuild(command, fresh) } else { last.warm?.save() }
      return .done
    }
  }

  /// When content changes by itself after the last build that was whole.
  var nextChange: Instant? {
    last.withLock { last in
      if let warm = last.warm { return warm.validBefore }
      return MemoryFile(content: command.content, out: command.out, flags: ["gzip"])?.load()?.validBefore
    }
  }

  /// Puts into the folder what was served without it; `false` if somebody else has built there meanwhile.
  private func flush(_ last: inout Last) throws -> Bool {
    guard try last.warm?.flush() == false else { return true }
    (last.warm, last.change) = (nil, .anything)
    fresh.removeAll()
    return false
  }

  /// What the edit of some files comes to; `nil` where everything must be looked at.
  private func edited(_ last: inout Last) throws -> BuildAttempt? {
    guard case .files(let paths) = last.change,
      let report = try Failure.ofDelivery({ try last.warm?.edited(paths) })
    else { return nil }
    last.change = .files([])
    return .finished(facts: report.json, diagnostics: report.diagnostics, source: report.sources.bytes)
  }
}
