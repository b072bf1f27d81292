import HTTPTransport
import Synchronization
import System

/// The credentials of a bucket's requests: fetched for the first request, and renewed before they
/// expire.
///
/// A class, since all requests of a bucket share the credentials.
final class CredentialProvider: Sendable {
  /// Credentials for a request.
  struct Lease: Sendable {
    let credentials: AmazonCredentials
    /// The number of fetches before that of these credentials.
    fileprivate let number: Int
  }

  private struct State {
    var lease: Lease?
    /// The time at which the credentials expire; `nil` if they do not.
    var end: Int64?
    /// The time from which the credentials are fetched again; `nil` for never.
    var renewal: Int64?
    /// The credentials before these, which a late answer may quote.
    var previous: AmazonCredentials?
    /// The reason for which the last fetch failed, and its time on the monotonic clock.
    var failure: (error: TargetError, milliseconds: Int64)?
  }

  /// The seconds before the end at which credentials are renewed.
  private static let renewalSeconds: Int64 = 300
  /// The fewest seconds from one fetch to the next, while the credentials are valid: some servers
  /// keep the same ones almost until they expire.
  private static let fewestSeconds: Int64 = 60
  /// The time for which a failure answers other requests, so that those that waited for the same
  /// fetch do not repeat it one after the other.
  private static let failureMilliseconds: Int64 = 5_000

  private let source: CredentialSource
  private let requests: CredentialRequests
  private let state = Mutex(State())

  init(_ source: CredentialSource, requests: CredentialRequests) {
    (self.source, self.requests) = (source, requests)
  }

  /// Returns the credentials for a request that is about to be signed.
  ///
  /// Other requests wait during a fetch, and share its result.
  ///
  /// - Throws: the reason for which there are no credentials.
  func current() throws(TargetError) -> Lease {
    try state.withLock { state throws(TargetError) in
      guard let lease = state.lease else { return try fetch(into: &state) }
      guard let renewal = state.renewal else { return lease }
      let now = requests.environment.now()
      guard now >= renewal else { return lease }
      do throws(TargetError) { return try fetch(into: &state) } catch {
        guard let end = state.end, now < end else { throw error }
        state.renewal = now + Self.fewestSeconds
        return lease
      }
    }
  }

  /// Returns newer credentials than those that a server refused as expired; `nil` if there can be
  /// none.
  ///
  /// - Throws: the reason for which there are no newer credentials.
  func renewed(after lease: Lease) throws(TargetError) -> Lease? {
    guard source.isTemporary else { return nil }
    return try state.withLock { state throws(TargetError) in
      if let newer = state.lease, newer.number > lease.number { return newer }
      return try fetch(into: &state)
    }
  }

  /// Returns a text without the secrets: a server may quote the request.
  func hidden(in text: String) -> String {
    state.withLock { [$0.lease?.credentials, $0.previous] }.reduce(text) { text, credentials in
      credentials?.hidden(in: text) ?? text
    }
  }

  private func fetch(into state: inout State) throws(TargetError) -> Lease {
    let milliseconds = requests.environment.milliseconds()
    if let failure = state.failure,
      milliseconds - failure.milliseconds < Self.failureMilliseconds
    {
      throw failure.error
    }
    let fetched: FetchedCredentials
    do { fetched = try source.fetch(with: requests) } catch {
      state.failure = (error, requests.environment.milliseconds())
      throw error
    }
    let lease = Lease(
      credentials: fetched.credentials, number: (state.lease?.number ?? 0) + 1)
    state.previous = state.lease?.credentials
    (state.lease, state.end, state.failure) = (lease, fetched.end, nil)
    state.renewal = fetched.end.map {
      max(requests.environment.now() + Self.fewestSeconds, $0 - Self.renewalSeconds)
    }
    return lease
  }
}
