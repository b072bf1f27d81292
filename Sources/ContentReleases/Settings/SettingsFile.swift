import ContentModel
package import Diagnostics
import SystemC

/// The settings file of a machine.
package struct SettingsFile: Sendable {
  /// The path, as messages show it.
  package let path: String
  /// `true` if an option or a variable names the file, so that it must exist.
  private let isNamed: Bool

  /// The largest size in bytes.
  private static let limit = 1 << 20

  /// Finds the file: the one with a name, or else that of `CONTENTC_SETTINGS`, or else
  /// `~/.config/contentc/settings.yaml`; `nil` without a home folder.
  package init?(named name: String?, environment: (_ variable: String) -> String?) {
    let variable = environment("CONTENTC_SETTINGS").flatMap { $0.isEmpty ? nil : $0 }
    if let name = name ?? variable {
      (path, isNamed) = (name, true)
    } else if let home = environment("HOME"), home.hasBytePrefix("/") {
      let folder = home == "/" ? "" : home
      (path, isNamed) = ("\(folder)/.config/contentc/settings.yaml", false)
    } else {
      return nil
    }
  }

  /// Reads the settings; without the file, they are empty unless an option or a variable names the
  /// file.
  package func read() -> Diagnosed<MachineSettings> {
    // Without O_NONBLOCK, a pipe without a writer would stop the command.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { return refused(unreadable(code)) }
      return isNamed ? refused(missing) : Diagnosed(MachineSettings())
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return refused(unreadable(errno)) }
    if let problem = problem(with: status) { return refused(problem) }
    guard let bytes = Self.bytes(of: descriptor) else { return refused(unreadable(errno)) }
    return bytes.count > Self.limit ? refused(tooLarge) : MachineSettings.read(bytes, path: path)
  }

  private func problem(with status: stat) -> Diagnostic? {
    if status.st_mode & S_IFMT != S_IFREG {
      return error(.unreadableFile, "the settings must be a regular file")
    }
    // Whoever can write the file chooses the programs that run as this user. ssh has the same rule.
    if status.st_uid != geteuid(), status.st_uid != 0 {
      return error(
        .unsafeSettings, "the settings file belongs to another user, who could choose programs",
        note: "if you trust its content: sudo chown \"$(id -un)\" \(quotedPath)")
    }
    if status.st_mode & 0o022 != 0 {
      return error(
        .unsafeSettings, "other users may write the settings file, and so choose programs",
        note: "check its content, then run: chmod go-w \(quotedPath)")
    }
    return status.st_size > Self.limit ? tooLarge : nil
  }

  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = SystemC.read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += part
    }
    return bytes
  }

  private var missing: Diagnostic {
    error(
      .missingFile, "the settings file does not exist",
      note: "'--settings' or CONTENTC_SETTINGS names it")
  }

  private var tooLarge: Diagnostic {
    error(.tooLarge, "the settings file has more than \(Self.limit >> 20) MiB")
  }

  private func unreadable(_ code: Int32) -> Diagnostic {
    error(.unreadableFile, "the file cannot be read: \(String(cString: strerror(code)))")
  }

  private func error(_ rule: Rule, _ message: String, note: String? = nil) -> Diagnostic {
    Diagnostic(
      .error, rule: rule, at: SourceLocation(path: path), message: message,
      notes: note.map { [Diagnostic.Note($0)] } ?? [])
  }

  private func refused(_ problem: Diagnostic) -> Diagnosed<MachineSettings> {
    Diagnosed(MachineSettings(), diagnostics: [problem])
  }

  /// The path as a word of a shell.
  private var quotedPath: String {
    "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
