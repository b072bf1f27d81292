import Synchronization
import SystemC
import TestServers

/// The example app as a process, with a pipe in place of its keyboard and a file for its output.
final class RunningShop: Sendable {
  private let files: ScratchFolder
  private let keyboard: Int32
  private let program: Program
  /// The number of bytes that were printed before the last line was typed.
  private let seen = Mutex(0)

  /// Starts the app, with `onTerminal` on a pseudoterminal.
  init(_ program: String, _ arguments: [String], onTerminal: Bool = false) throws {
    files = try ScratchFolder(inMemory: true)
    let pipe = files.path("keyboard")
    mkfifo(pipe, 0o600)
    // Opened in both directions, it has a writer from the beginning.
    keyboard = open(pipe, O_RDWR | O_CLOEXEC)
    let words = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let command = onTerminal ? "TERM=xterm script -qefc \"\(words)\" /dev/null" : words
    self.program = try Program(
      "/bin/sh", ["-c", "exec <'\(pipe)'; \(onTerminal ? "" : "exec ")\(command)"],
      output: files.path("printed"))
  }

  deinit { close(keyboard) }

  /// The output since the last line was typed.
  var answer: String {
    let printed = (try? ScratchFolder.read(files.path("printed"))) ?? []
    return String(decoding: printed.dropFirst(seen.withLock { $0 }), as: UTF8.self)
  }

  /// Types a line.
  func type(_ line: String) throws {
    let printed = try ScratchFolder.read(files.path("printed")).count
    seen.withLock { $0 = printed }
    let bytes = Array("\(line)\n".utf8)
    guard write(keyboard, bytes, bytes.count) == bytes.count else {
      throw Problem("the app does not read")
    }
  }

  /// Types the number of the link with a text.
  func follow(_ link: String) throws {
    let line = answer.split(separator: "\n").last { $0.contains(link) } ?? ""
    guard let number = line.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw Problem("there is no link '\(link)' in:\n\(answer)")
    }
    try type("\(number)")
  }

  /// Waits until the app has printed all texts since the last line, and returns its output.
  @discardableResult func shows(_ texts: String...) throws -> String {
    for _ in 0..<1_000 {
      let answer = answer
      if texts.allSatisfy({ answer.contains($0) }) { return answer }
      usleep(20_000)
    }
    throw Problem("the app does not show \(texts), but:\n\(answer)")
  }

  /// Ends the app by `quit`, and returns its exit status.
  func quit() throws -> Int32 {
    try type("quit")
    return exitStatus()
  }

  /// Waits for the app's end, and returns its exit status.
  func exitStatus() -> Int32 { program.wait() >> 8 }
}
