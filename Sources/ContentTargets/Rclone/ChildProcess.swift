import System
import SystemC

/// A child process, which is run to its end.
struct ChildProcess {
  /// The exit status and the output of a process.
  struct Result {
    var status: Int32
    var output: [UInt8]
    var errors: String
  }

  /// The program's path, or its name in an absolute folder of `PATH`, and its arguments.
  let arguments: [String]
  private let environment = ProgramEnvironment(omitting: [], adding: [])

  init(_ arguments: [String]) { self.arguments = arguments }

  /// Runs the program with an empty input; returns `nil` if there is no such program.
  ///
  /// The three streams are unnamed files, so that neither process waits for the other, however long
  /// the output is.
  ///
  /// - Throws: `TargetError` if a temporary file or the process cannot be created.
  func run() throws(TargetError) -> Result? {
    guard let path = environment.path(of: arguments[0]) else { return nil }
    let streams = [try Self.nameless(), try Self.nameless(), try Self.nameless()]
    defer { for stream in streams { close(stream) } }
    let status = try spawn(path, streams)
    return Result(
      status: status, output: Self.readAll(streams[1]),
      errors: String(decoding: Self.readAll(streams[2]), as: UTF8.self))
  }

  private func spawn(_ path: String, _ streams: [Int32]) throws(TargetError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.variables.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var child = pid_t()
    let code = posix_spawn(&child, path, &actions, nil, &words, &variables)
    guard code == 0 else {
      throw TargetError(
        .failed, "'\(arguments[0])' cannot be started: \(String(cString: strerror(code)))")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func nameless() throws(TargetError) -> Int32 {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/contentc-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { throw noRoom() }
    unlink(template)
    return file
  }

  private static func noRoom() -> TargetError {
    TargetError(.failed, "no temporary file can be written: \(String(cString: strerror(errno)))")
  }

  private static func readAll(_ file: Int32) -> [UInt8] {
    var status = stat()
    guard fstat(file, &status) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let read = pread(
          file, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return }
        count += read
      }
    }
  }
}
