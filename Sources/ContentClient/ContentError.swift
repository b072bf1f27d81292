import ContentModel
import SiteFormat

/// An error with its kind, and a reason for logs.
///
/// ```swift
/// do {
///   let rose = try await client.snapshot.entries(loading: "product/rose").first
///   show(rose)
/// } catch {
///   if error.kind == .unreachable { showOfflineMark() }
/// }
/// ```
public struct ContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of reasons.
  ///
  /// ```swift
  /// if error.kind == .server(status: 404) { log("nothing is published yet") }
  /// ```
  public enum Kind: Hashable, Sendable {
    /// The configuration of the client is wrong.
    case configuration
    /// No connection, or an answer that is no config, as a captive portal sends it.
    case unreachable
    /// The server answered with an error; status 0 if it answered too late, or in part.
    case server(status: Int)
    /// The answer is not acceptable: another app, an older release, other bytes than their name
    /// says, or signatures that are missing, wrong or too old.
    case refused
    /// The named thing does not exist in this release.
    case missing
    /// A purge removed it.
    case withdrawn
    /// The storage cannot be read or written.
    case storage
    /// The content cannot be read, although its bytes are those that were published.
    case damaged
    /// The caller ended the work.
    case cancelled
  }

  /// The kind of the reason.
  public let kind: Kind
  /// The reason in a few English words, for logs; for people, an app has its own text for each
  /// ``kind``.
  public let reason: String

  init(_ kind: Kind, because reason: String) { (self.kind, self.reason) = (kind, reason) }

  /// The reason.
  public var description: String { reason }

  /// Compares kinds, and reasons byte by byte.
  public static func == (a: ContentError, b: ContentError) -> Bool {
    a.kind == b.kind && a.reason.hasSameBytes(as: b.reason)
  }

  /// Hashes the kind.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension ContentError {
  /// `true` if config names an object that the server does not have.
  var isMissingObject: Bool { kind == .missing }

  /// The end of a refresh by its caller.
  static let cancelledRefresh = ContentError(.cancelled, because: "the refresh was cancelled")

  /// No connection, which is no failure of the server.
  static let noConnection = ContentError(.unreachable, because: "the server cannot be reached")

  init(unanswered failure: TransportFailure) {
    switch failure {
    case .cancelled: self = .cancelledRefresh
    case .unreachable: self = .noConnection
    case .timedOut: self.init(.server(status: 0), because: "the server does not answer in time")
    case .interrupted:
      self.init(.server(status: 0), because: "the connection ended before the answer did")
    case .tooLarge: self.init(.refused, because: "the answer is longer than allowed")
    case .untrusted: self.init(.unreachable, because: "the server's certificate is not trusted")
    }
  }

  init(refusal: TrustError) {
    switch refusal {
    case .malformed(.envelope, .unreadable): self = .noConfig
    case .malformed(.envelope, .format(let newer)): self.init(newer)
    default: self.init(.refused, because: "config is not accepted: \(refusal.reason)")
    }
  }

  /// An answer that is no config, which says nothing about the server.
  private static let noConfig = ContentError(
    .unreachable, because: "the answer is no config, as of a captive portal")

  private init(_ newer: NewerFormat) {
    self.init(.refused, because: newer.sentence(about: "config"))
  }

  init(refusal: SiteConfig.Refusal) {
    switch refusal {
    case .unreadable: self = .noConfig
    case .newerFormat(let newer): self.init(newer)
    case .releaseOutOfRange(let release):
      self.init(.refused, because: "release \(release) is out of range")
    }
  }
}
