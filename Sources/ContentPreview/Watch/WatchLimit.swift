import ContentBuild
import System
import SystemC

/// A limit of the kernel for watches of a user: inotify(7).
struct WatchLimit {
  /// The name for `sysctl`.
  var name: String
  var value: Int
  /// A value that is enough for most people.
  private var suggestion: Int

  init(name: String, value: Int, suggestion: Int) {
    (self.name, self.value, self.suggestion) = (name, value, suggestion)
  }

  /// Finds the limit that made a call fail; `nil` for other failures.
  ///
  /// A container may have a lower limit than the machine.
  init?(errno code: Int32) {
    let (thing, suggestion) = code == EMFILE ? ("instances", 1_024) : ("watches", 524_288)
    guard code == EMFILE || code == ENOSPC else { return nil }
    let limits = ["fs.inotify.max_user_\(thing)", "user.max_inotify_\(thing)"].compactMap { name in
      Self.value(of: name).map { WatchLimit(name: name, value: $0, suggestion: suggestion) }
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

  /// Returns a note on a failed call: why changes are seen late, and a command that helps.
  static func remark(errno code: Int32) -> String {
    let late = "changes are looked for once a second"
    guard let limit = WatchLimit(errno: code) else {
      return "\(late), since the kernel watches no files here: \(String(cString: strerror(code)))"
    }
    let raised = max(limit.suggestion, 2 * limit.value)
    return """
      \(late), since the kernel watches no more for this user: \(limit.name) is \(limit.value); \
      'sudo sysctl \(limit.name)=\(raised)' raises it until the next start
      """
  }
}
