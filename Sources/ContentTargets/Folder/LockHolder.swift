import ContentModel
import System
import SystemC

/// The process that holds the lock on a file, if the system shows it.
struct LockHolder: Hashable, CustomStringConvertible {
  let process: Int
  /// The program, with its arguments if it is contentc; empty if unknown.
  let command: String

  /// `true` if the process is stopped, as by Ctrl-Z: it holds the lock until it is continued, and
  /// heeds no signal but SIGKILL before.
  let isStopped: Bool

  /// The process and its command, such as `process 4711 (contentc publish qa)`.
  var description: String { "process \(process)" + (command.isEmpty ? "" : " (\(command))") }

  /// `true` for a command that ends an emergency: nobody should end it.
  var isEmergency: Bool {
    let words = command.split(separator: " ")
    return words.count > 1 && words[0].hasPrefix("contentc")
      && ["purge", "maintenance"].contains(words[1])
  }

  /// Returns the process with the file that it holds, as the subject of a sentence.
  func holding(_ file: String) -> String {
    "\(self), which \(isStopped ? "is stopped and " : "")holds '\(file)'"
  }

  /// Returns the sentence of a command that an emergency keeps waiting, without a way to end the
  /// emergency.
  func emergencySentence(holding file: String) -> String {
    let next =
      isStopped
      ? "continue it with 'kill -CONT \(process)'; then run this command again"
      : "wait until it has ended, then run this command again"
    return "an emergency command is at work there, \(holding(file)); \(next)"
  }

  /// The command that ends the process.
  var ending: String {
    // A stopped process gets the signal only when it continues.
    isStopped ? "kill \(process); kill -CONT \(process)" : "kill \(process)"
  }

  /// Finds the holder of the lock on a file; `nil` if there is none, or the system has no list of
  /// locks.
  init?(of path: String) {
    guard let found = try? Disk.examine(path), found.kind == .file,
      let list = Self.contents(of: "/proc/locks")
    else {
      return nil
    }
    let device = Self.device(found.identity.device)
    let number = "\(found.identity.number)"
    // Some file systems have a device number of their own in the list; then only the file's number
    // is compared.
    let rows = list.split(separator: "\n").compactMap { Self.row($0, ofFile: number) }
    guard let row = rows.first(where: { $0.device == device }) ?? rows.first, row.process > 0 else {
      return nil
    }
    process = row.process
    command = Self.command(of: row.process)
    isStopped = Self.isStopped(row.process)
  }

  /// Reads a line such as `1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF`; `nil` if it is about
  /// another file.
  private static func row(
    _ line: Substring, ofFile number: String
  ) -> (process: Int, device: String)? {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 6, words[1] == "FLOCK", let process = Int(words[4]),
      let colon = words[5].lastIndex(of: ":"), words[5][words[5].index(after: colon)...] == number
    else { return nil }
    return (process, String(words[5][..<colon]))
  }

  /// Returns whether a process is stopped by a signal, or by a debugger.
  private static func isStopped(_ process: Int) -> Bool {
    // The state follows the program's name, which is in parentheses and may contain some.
    guard let text = contents(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")")
    else { return false }
    return ["T", "t"].contains(text[end...].dropFirst(2).first)
  }

  private static func command(of process: Int) -> String {
    guard let text = contents(of: "/proc/\(process)/cmdline") else { return "" }
    let words = text.split(separator: "\0").map(String.init)
    let name = String((words.first ?? "").split(separator: "/").last ?? "")
    // Arguments of other programs may hold secrets.
    let shown =
      name.hasBytePrefix("contentc") ? ([name] + words.dropFirst()).joined(separator: " ") : name
    let plain = shown.unicodeScalars.prefix(80).filter { $0.value >= 0x20 && $0.value < 0x7F }
    return String(String.UnicodeScalarView(plain))
  }

  private static func hex(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return text.utf8.count < 2 ? "0" + text : text
  }

  /// Returns a device's number in the form of Linux's list of locks (gnu_dev_major and
  /// gnu_dev_minor); no other system has that list.
  private static func device(_ number: UInt64) -> String {
    let major = number >> 8 & 0xFFF | number >> 32 & ~0xFFF
    let minor = number & 0xFF | number >> 12 & ~0xFF
    return "\(hex(major)):\(hex(minor))"
  }

  /// Returns the content of a system file of unknown size, at most 1 MiB.
  private static func contents(of path: String) -> String? {
    guard let file = try? Descriptor(path, flags: O_RDONLY) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
      return nil
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
