import ContentModel

/// The reason of a refresh, by which its waits differ.
///
/// An app passes `.user`, `.launch` or `.connection`, and `.schedule` in a background task; the
/// client passes the others. Within a wait, a refresh ends at once with
/// ``RefreshOutcome/postponed(seconds:)``; a server's `Retry-After` is one for every reason.
///
/// ```swift
/// let task = client.refresh(.user)
/// ```
public enum RefreshReason: Hashable, Sendable {
  /// The app started, or entered the foreground: waits only after an answer that was refused.
  case launch
  /// The time for a check has come: waits after each failure.
  case schedule
  /// The person asked for it: at most every five seconds.
  case user
  /// A push arrived.
  case push
  /// The network is there again, or another one.
  case connection
  /// The reader's language, device, country or version changed.
  case context
}

/// The end of a refresh.
///
/// ```swift
/// if case .failed(let error) = await client.refresh(.user).outcome { log(error.reason) }
/// ```
public enum RefreshOutcome: Sendable {
  /// Other content is shown now.
  case updated(ContentUpdate)
  /// The shown content is the newest, or a newer release waits for its activation.
  case unchanged
  /// No request was made: the server, or the waits of ``RefreshReason``, ask for so many seconds.
  /// It says nothing about the connection; what a screen says of an earlier failure remains true.
  case postponed(seconds: Double)
  /// The shown content stays. That of a cancelled refresh is of kind `.cancelled`.
  case failed(ContentError)
}

/// A refresh on its way.
///
/// Callers who ask for a refresh while one is on its way get the same task.
///
/// ```swift
/// let task = client.refresh(.user)
/// for await part in task.progress { bar.set(part.fraction) }
/// let outcome = await task.outcome
/// ```
public struct RefreshTask: Sendable {
  let task: Task<RefreshOutcome, Never>
  let received: RefreshProgress

  /// Waits for the end.
  ///
  /// ```swift
  /// if case .updated(let update) = await refresh.outcome { show(update.snapshot) }
  /// ```
  public var outcome: RefreshOutcome { get async { await task.value } }

  /// The part that arrived so far, whenever it changes; ends with the refresh.
  ///
  /// ```swift
  /// for await part in refresh.progress { bar.set(part.fraction) }
  /// ```
  public var progress: AsyncStream<Progress> { received.stream() }

  /// Ends the refresh for all its callers; objects that arrived are kept, so that the next refresh
  /// continues there.
  ///
  /// ```swift
  /// task.expirationHandler = { refresh.cancel() }
  /// ```
  public func cancel() { task.cancel() }

  /// The part of the needed objects that arrived.
  ///
  /// ```swift
  /// let percent = Int(part.fraction * 100)
  /// ```
  public struct Progress: Hashable, Sendable {
    /// The decoded bytes that arrived.
    public var receivedBytes = 0
    /// The decoded bytes of all objects whose size is known.
    public var totalBytes = 0

    /// The part that arrived, from 0 to 1; it falls when more objects turn out to be needed.
    public var fraction: Double {
      totalBytes == 0 ? 0 : min(1, Double(receivedBytes) / Double(totalBytes))
    }
  }
}

/// The bytes of a refresh as they arrive.
///
/// A class, since several requests count together.
final class RefreshProgress: Sendable {
  private let bytes = Locked(RefreshTask.Progress())
  private let listeners = Broadcaster<RefreshTask.Progress>(capacity: 1)

  func stream() -> AsyncStream<RefreshTask.Progress> { listeners.stream() }

  func expect(_ count: Int) { change { $0.totalBytes += count } }

  func receive(_ count: Int) { change { $0.receivedBytes += count } }

  func end() { listeners.end() }

  private func change(_ body: (inout RefreshTask.Progress) -> Void) {
    listeners.send {
      bytes.withLock { bytes in
        body(&bytes)
        return bytes
      }
    }
  }
}
