import ContentStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A setting of the kernel that keeps it from watching more: inotify(7).
struct WatchLimit {
  /// As `sysctl` knows it.
  var name: String
  var value: Int
  /// What is plenty for most people.
  private var plenty: Int

  init(name: String, value: Int, plenty: Int) {
    (self.name, self.value, self.plenty) = (name, value, plenty)
  }

  /// What a call failed for; `nil` where that was no limit.
  ///
  /// A container may have less than the machine.
  init?(errno code: Int32) {
    let (thing, plenty) = code == EMFILE ? ("instances", 1_024) : ("watches", 524_288)
    guard code == EMFILE || code == ENOSPC else { return nil }
    let limits = ["fs.inotify.max_user_\(thing)", "user.max_inotify_\(thing)"].compactMap { name in
      Self.value(of: name).map { WatchLimit(name: name, value: $0, plenty: plenty) }
    }
    guard let least = limits.min(by: { $0.value < $1.value }) else { return nil }
    self = least
  }

  private static func value(of name: String) -> Int? {
    guard let file = fopen("/proc/sys/\(name.replacing(".", with: "/"))", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    return Int(
      String(decoding: line.prefix { $0 >= 0x30 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// What a person is told of a call that failed: why changes are seen late, and what helps.
  static func remark(errno code: Int32) -> String {
    let late = "changes are looked for once a second"
    guard let limit = WatchLimit(errno: code) else {
      return "\(late), since the kernel watches no files here: \(String(cString: strerror(code)))"
    }
    return """
      \(late), since the kernel watches no more for this user: \(limit.name) is \(limit.value); \
      'sudo sysctl \(limit.name)=\(max(limit.plenty, 2 * limit.value))' raises it until the next start
      """
  }
}
