package import ContentBuild
package import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import Synchronization

/// Builds as `contentc build` does, and quicker where it knows what changed since the last time.
///
/// A class, since it remembers the last build; its calls come one after the other.
package final class PreviewBuilder: Sendable {
  private let request: BuildRequest
  private let fresh: FreshFiles
  private let last = Mutex(Last())

  /// The builds so far, as far as the next one needs them.
  private struct Last {
    /// The last build that was whole, as far as an edit can go on from it.
    var warm: WarmBuild?
    /// What changed since then.
    var change = ContentChange.files([])
  }

  package init(_ request: BuildRequest, _ fresh: FreshFiles) {
    (self.request, self.fresh) = (request, fresh)
  }

  /// Builds after a change.
  package func build(_ change: ContentChange) -> BuildAttempt {
    last.withLock { last in
      last.change.formUnion(change)
      do {
        if let outcome = try edited(&last) { return .finished(outcome) }
        _ = try flush(&last)
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

  /// Remembers the last build on disk, where `contentc build` finds it, and in this process.
  package func persist() -> PersistResult {
    last.withLock { last in
      do {
        if try !flush(&last) { return .overtaken }
      } catch let error as StoreError where error.kind == .busy {
        return .later
      } catch {
        return .unwritable(Self.diagnostic(of: error).message)
      }
      guard case .files(let changed) = last.change, changed.isEmpty else { return .done }
      if last.warm == nil { last.warm = WarmBuild(request, fresh) } else { last.warm?.save() }
      return .done
    }
  }

  /// The moment at which content changes by itself after the last build that was whole.
  package var nextChange: Instant? {
    last.withLock { last in
      if let warm = last.warm { return warm.validBefore }
      return WarmBuild.validBefore(request)
    }
  }

  /// Puts into the folder what was served without it; `false` if somebody else has built there
  /// meanwhile.
  private func flush(_ last: inout Last) throws -> Bool {
    guard try last.warm?.flush() == false else { return true }
    (last.warm, last.change) = (nil, .anything)
    fresh.removeAll()
    return false
  }

  /// The edit of some files; `nil` where everything must be looked at.
  private func edited(_ last: inout Last) throws -> BuildOutcome? {
    guard case .files(let paths) = last.change, let outcome = try last.warm?.edited(paths) else {
      return nil
    }
    last.change = .files([])
    return outcome
  }

  private static func diagnostic(of error: any Error) -> Diagnostic {
    switch error {
    case let error as BuildError: error.diagnostic
    case let error as StoreError: Diagnostic(error)
    default: .error("unwritable", at: nil, "\(error)")
    }
  }
}

extension BuildAttempt {
  /// A build that came to an end.
  fileprivate static func finished(_ outcome: BuildOutcome) -> BuildAttempt {
    .finished(
      facts: outcome.product?.members ?? Members(), diagnostics: outcome.diagnostics,
      source: outcome.sources.bytes)
  }
}
