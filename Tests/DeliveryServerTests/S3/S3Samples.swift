import ContentModel
import HTTPTransport
import SharedGzip
import Synchronization
import System
import TestServers

@testable import ContentTargets
@testable import TestDelivery

extension S3Target {
  /// A bucket of SeaweedFS with credentials that it knows.
  convenience init(
    _ server: SeaweedServer, _ place: String, options: String = "",
    secretKey: String = SeaweedServer.secretKey
  ) throws {
    try self.init(
      "s3://\(place)?endpoint=\(server.buckets)\(options)", keys: (SeaweedServer.key, secretKey))
  }

  /// A bucket of SeaweedFS, where `happen` runs between the check for a file and each attempt to
  /// send it.
  convenience init(
    _ server: SeaweedServer, _ place: String, _ happen: @escaping @Sendable () -> Void
  ) throws {
    let system = RequestEnvironment.system
    let now: @Sendable () -> Int64 = {
      happen()
      return system.now()
    }
    try self.init(
      "s3://\(place)?endpoint=\(server.buckets)",
      keys: (SeaweedServer.key, SeaweedServer.secretKey),
      environment: RequestEnvironment(now: now, sleep: system.sleep, random: system.random))
  }

  /// A bucket of a scripted server, without real waits.
  convenience init(_ server: ScriptedServer, _ waits: RecordedWaits = RecordedWaits()) throws {
    try self.init(endpoint: server.address, waits)
  }

  convenience init(endpoint address: String, _ waits: RecordedWaits = RecordedWaits()) throws {
    var limits = HTTPLimits()
    limits.connectMilliseconds = 500
    (limits.requestMilliseconds, limits.silentSeconds) = (700, 1)
    try self.init(
      "s3://bucket/v1?endpoint=\(address)", keys: ("AKID", "s3cret"), limits: limits,
      environment: waits.environment)
  }

  convenience init(
    _ address: String, keys: (String, String), limits: HTTPLimits = HTTPLimits(),
    environment: RequestEnvironment = .system
  ) throws {
    let variables = ["AWS_ACCESS_KEY_ID": keys.0, "AWS_SECRET_ACCESS_KEY": keys.1]
    try self.init(
      address, variable: { variables[$0] }, file: { _ in nil }, limits: limits,
      environment: environment)
  }
}

/// Records the waits instead of sleeping.
///
/// A class because closures share it.
final class RecordedWaits: Sendable {
  private let waits = Mutex<[Int]>([])

  /// The waits in milliseconds, in order.
  var milliseconds: [Int] { waits.withLock { $0 } }

  /// A stopped clock, and random numbers that always yield the longest wait.
  var environment: RequestEnvironment {
    RequestEnvironment(
      now: { 1_800_000_000 }, sleep: { wait in self.waits.withLock { $0.append(wait) } },
      // Modulo one more than the longest wait (200, 400, 800, 1,600 or 3,200), the remainder is
      // that wait.
      random: { Self.mostOfAll })
  }

  /// One less than a common multiple of 201, 401, 801, 1,601 and 3,201.
  private static let mostOfAll: UInt64 = [201, 401, 801, 1_601, 3_201].reduce(1, *) - 1
}

extension OutgoingFile {
  /// Creates a text file with a compressed copy.
  init(gzipped text: String) throws {
    self.init(text: text)
    compressed = .bytes(try GzipCompressor().compress(bytes))
  }
}
