import ContentModel
import HTTPTransport
import System

extension S3Target {
  /// Returns whether the server refuses a second creation, the replacement of a missing version, and
  /// all but one of several creations at the same time.
  ///
  /// - Throws: `TargetError`, also for a version of a server whose conditions are known not to hold
  ///   between concurrent writers: a few requests need not show that.
  func probe() throws(TargetError) -> Bool {
    let key =
      ".probe/\(hex(bucket.environment.random()))\(hex(bucket.environment.random()))"
    // The credentials may allow writing without removing.
    defer { try? remove(key) }
    do {
      guard try refuses(key) else { return false }
      try checkServer(key)
      return try letsOneWriterWin("\(key)-raced")
    } catch  where lacksConditions {
      return false
    }
  }

  private func refuses(_ key: String) throws(TargetError) -> Bool {
    // The bytes differ, so that no write can be taken for another.
    guard try create(key, as: probe("1")) else { return false }
    guard try !create(key, as: probe("2")) else { return false }
    return try !replace(key, with: probe("3"), tagged: "\"00000000000000000000000000000000\"")
  }

  private func letsOneWriterWin(_ key: String) throws(TargetError) -> Bool {
    defer { try? remove(key) }
    let writers = Array(1...4)
    let won = try writers.mapOverlapped { [self] writer throws(TargetError) in
      try create(key, as: probe("\(writer)"))
    }
    return won.count { $0 } == 1
  }

  /// Refuses a server that lets several concurrent writers win, as its name and version tell.
  private func checkServer(_ key: String) throws(TargetError) {
    guard let server = try? head(key)?.header("Server"), let version = SeaweedVersion(server),
      !version.honorsConditions
    else { return }
    throw TargetError(
      .failed,
      "\(name) is at SeaweedFS \(version): before 4.17, two publishers at the same time can both win; install a later "
        + "version, or use --single-writer if no other publisher runs meanwhile")
  }

  private func probe(_ text: String) -> OutgoingFile {
    OutgoingFile(
      bytes: Array(text.utf8),
      headers: FileHeaders(contentType: "text/plain", cacheControl: "no-store"))
  }

  private func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// The version in the header `Server` of SeaweedFS, such as `SeaweedFS 30GB 4.16 d4d2e511e`.
struct SeaweedVersion: CustomStringConvertible {
  private let major: Int
  private let minor: Int

  /// Reads the header; `nil` if it is of another server, or tells no version.
  init?(_ server: String) {
    guard server.lowercased().hasPrefix("seaweedfs") else { return nil }
    for word in server.split(whereSeparator: { " /".contains($0) }) {
      let parts = word.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { continue }
      (self.major, self.minor) = (major, minor)
      return
    }
    return nil
  }

  /// `true` if conditions hold between concurrent writers: seaweedfs/seaweedfs#8800.
  var honorsConditions: Bool { (major, minor) >= (4, 17) }

  var description: String { "\(major).\(minor)" }
}
