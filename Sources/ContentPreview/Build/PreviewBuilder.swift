package import ContentBuild
package import ContentModel
import ContentSource
import Diagnostics
import Synchronization
import System

/// A builder whose files have the bytes of `contentc build`, but faster if the changes since the last
/// build are known.
///
/// After such an edit, the files are in memory until ``persistAndPrepare()`` writes them.
///
/// A class, since it keeps the last build. Calls must not overlap.
package final class PreviewBuilder: Sendable {
  private let request: BuildRequest
  private let fresh: FreshFiles
  private let last = Mutex(Last())

  /// The state that the next build needs.
  private struct Last {
    /// The last build without errors, from which an edit can continue.
    var warm: WarmBuild?
    /// The changes since that build.
    var unbuiltChange = ContentChange.nothingKnown
  }

  package init(_ request: BuildRequest, fresh: FreshFiles) {
    (self.request, self.fresh) = (request, fresh)
  }

  /// Builds after a change.
  package func build(_ change: ContentChange) -> BuildAttempt {
    last.withLock { last in
      last.unbuiltChange.formUnion(change)
      do {
        if let outcome = try rebuildWarm(&last) { return .finished(outcome) }
        // Fresh files would hide those of this build, which finds out itself whether another
        // process has built meanwhile.
        _ = try flushWarm(&last)
        let outcome = try ContentBuild.build(request, progress: NoProgress())
        if outcome.product != nil { last = Last() }
        return .finished(outcome)
      } catch let error as StoreError where error.kind == .busy {
        return .busy
      } catch {
        return .failed(Self.diagnostic(of: error))
      }
    }
  }

  /// Writes pending edits to the output folder, and prepares the next edit.
  ///
  /// After an edit, it also saves the memory on disk. After `ContentBuild.build`, in any of its
  /// ways, it loads the `WarmBuild` from which the next edit continues. If changes are not built
  /// yet, it only writes pending edits.
  package func persistAndPrepare() -> PersistResult {
    last.withLock { last in
      do {
        if try !flushWarm(&last) { return .superseded }
      } catch let error as StoreError where error.kind == .busy {
        return .busy
      } catch {
        return .unwritable(reason: Self.diagnostic(of: error).message)
      }
      guard case .files(let changed) = last.unbuiltChange, changed.isEmpty else { return .done }
      if last.warm == nil {
        last.warm = WarmBuild(of: request, into: fresh)
      } else {
        last.warm?.save()
      }
      return .done
    }
  }

  /// The next moment at which content changes by itself, as of the last build without errors.
  package var nextChange: Instant? {
    last.withLock { last in
      if let warm = last.warm { return warm.validBefore }
      return WarmBuild.validBefore(request)
    }
  }

  /// Writes the output of edits to the folder; returns `false` if another process has built there
  /// meanwhile.
  private func flushWarm(_ last: inout Last) throws -> Bool {
    guard try last.warm?.flush() == false else { return true }
    last.warm = nil
    last.unbuiltChange = .anything
    fresh.removeAll()
    return false
  }

  /// Builds an edit of known files; returns `nil` if everything must be checked.
  private func rebuildWarm(_ last: inout Last) throws -> BuildOutcome? {
    guard case .files(let paths) = last.unbuiltChange,
      let outcome = try last.warm?.rebuild(after: paths)
    else { return nil }
    last.unbuiltChange = .nothingKnown
    return outcome
  }

  private static func diagnostic(of error: any Error) -> Diagnostic {
    switch error {
    case let error as BuildError: error.diagnostic
    case let error as StoreError: Diagnostic(error)
    default: .error(.unwritable, at: nil, message: "\(error)")
    }
  }
}

extension BuildAttempt {
  /// Returns the attempt that made an outcome.
  fileprivate static func finished(_ outcome: BuildOutcome) -> BuildAttempt {
    .finished(
      facts: outcome.product?.members ?? Members(), diagnostics: outcome.diagnostics,
      source: outcome.sources.bytes)
  }
}
