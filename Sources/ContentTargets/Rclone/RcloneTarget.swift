import ContentModel
import PropertyLists
import System

/// A remote of rclone, through the user's own rclone: SFTP, WebDAV, Google, Azure and many more.
///
/// rclone has no conditional writes: the target checks, and then writes. The caller must promise a
/// single publisher.
package struct RcloneTarget: Target {
  package let name: String
  /// The most values of a list of files: rclone gives six for each of them.
  private static let listLimit = 1 << 24
  private let address: RcloneAddress
  private let program: String
  /// The waits for the remote.
  private let slowStep: SlowStep

  /// Creates a target for an address such as `rclone:shop:www/content`.
  ///
  /// `whenSlow` receives the target's name once rclone takes long.
  ///
  /// - Throws: `TargetError` if the address names no configured remote.
  package init(
    _ text: String, program: String = "rclone",
    whenSlow: @escaping @Sendable (_ target: String) -> Void = { _ in }
  ) throws(TargetError) {
    guard let address = RcloneAddress(text) else {
      // The message omits the address, which may hold a password in place of a name.
      throw TargetError(
        .unusable,
        "a target of rclone must \(RcloneAddress.rule); settings in place of a name could run programs, so put them into "
          + "rclone's own configuration with 'rclone config'")
    }
    (self.address, self.program) = (address, program)
    name = text
    slowStep = SlowStep(text, tell: whenSlow)
  }

  package func honorsConditions() -> Bool { false }

  package var hasLock: Bool { false }

  /// Each read starts a process of rclone, which takes processor time and tens of megabytes of memory.
  package var readsAtOnce: Int { 8 }

  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }

  package func read(_ key: String) throws(TargetError) -> StoredFile? {
    let limit = ReadLimit.bytes(of: key)
    guard let result = try run(["cat", "--count", "\(limit + 1)"], on: path(key)) else {
      return nil
    }
    guard result.output.count <= limit else { throw TargetError(tooLarge: key, at: name) }
    // Buckets have no folders: rclone may take a missing name for an empty folder.
    if result.output.isEmpty, try size(of: key) == nil { return nil }
    return StoredFile(bytes: result.output, tag: Digest(of: result.output).hex)
  }

  package func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    if try size(of: key) != nil { return false }
    // The compressed copy is written first: a server that prefers it must never send another
    // object's bytes.
    if let compressed = file.compressed {
      try write(compressed, to: "\(key).gz", headers: file.headers)
    }
    try write(file.body, to: key, headers: file.headers)
    return true
  }

  package func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError)
    -> Bool
  {
    guard try read(key)?.tag == tagged else { return false }
    try write(file.body, to: key, headers: file.headers)
    return true
  }

  package func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    // rclone itself compares hashes if the remote has them; otherwise the bytes decide. Each
    // command is a process of its own, so small files are read without asking for their size.
    if case .bytes(let bytes) = file.body { return try read(key)?.bytes == bytes }
    guard try size(of: key) == file.body.count else { return false }
    // A large file is not read into memory: rclone computes its hash.
    let said = try run(["hashsum", "--download"], on: "sha256", path(key))?.output ?? []
    return String(decoding: said.prefix(64), as: UTF8.self) == file.body.digest.hex
  }

  package func remove(_ key: String) throws(TargetError) {
    for key in [key, "\(key).gz"] { _ = try run(["deletefile"], on: path(key)) }
  }

  package func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[..<$0]) } ?? ""
    let flags = ["lsjson", "--recursive", "--files-only", "--no-mimetype"]
    guard let result = try run(flags, on: path(folder)) else { return [] }
    guard
      let rows = try? PropertyList.decode(result.output, as: .json, valueLimit: Self.listLimit)
        .value.items
    else {
      throw TargetError(.failed, "\(name) answers with a list that cannot be read")
    }
    var files: [ListedFile] = []
    for row in rows {
      guard let path = row["Path"]?.text else {
        throw TargetError(.failed, "\(name) answers with a list that cannot be read")
      }
      files.append(
        ListedFile(
          key: folder.isEmpty ? path : "\(folder)/\(path)", size: row["Size"]?.number ?? 0,
          modified: row["ModTime"]?.instant ?? ListedFile.unknownTime))
    }
    let keys = Set(names: files.map(\.key))
    return files.filter { file in
      file.key.hasBytePrefix(prefix)
        && !(file.key.hasByteSuffix(".gz") && keys.contains(String(file.key.dropLast(3))))
    }.sorted { $0.key.precedesInBytes($1.key) }
  }

  private func path(_ key: String) -> String {
    let place = "\(address.remote):\(address.path)"
    return key.isEmpty || address.path.isEmpty || place.hasByteSuffix("/")
      ? place + key : "\(place)/\(key)"
  }

  private func size(of key: String) throws(TargetError) -> Int? {
    guard let result = try run(["lsjson", "--stat", "--no-mimetype"], on: path(key)),
      let row = try? PropertyList.decode(result.output, as: .json).value,
      row["IsDir"]?.flag == false
    else { return nil }
    return row["Size"]?.number
  }

  private func write(_ body: FileBody, to key: String, headers: FileHeaders) throws(TargetError) {
    var flags = ["Content-Type: \(headers.contentType)", "Cache-Control: \(headers.cacheControl)"]
    if key.hasSuffix(".gz") { flags[0] = "Content-Type: application/gzip" }
    // `copyto` uploads under a temporary name if the remote can rename; a stream would not.
    let file = try ScratchFile(body, for: name)
    let arguments =
      ["copyto", "--ignore-times", "--no-check-dest"] + flags.flatMap { ["--header-upload", $0] }
    guard try run(arguments, on: file.path, path(key)) != nil else {
      throw TargetError(
        .missing,
        "\(name) has no place for '\(key)'; make the folder or bucket that the address names")
    }
  }

  /// Runs rclone and returns its output; `nil` if the requested file does not exist.
  ///
  /// Operands follow `--`, so that none is taken for a flag.
  private func run(_ command: [String], on operands: String...) throws(TargetError) -> ChildProcess
    .Result?
  {
    let quiet = ["--log-level", "ERROR", "--retries", "3"]
    let words = [program] + command + quiet + ["--"] + operands
    let result = try slowStep.run { () throws(TargetError) in try ChildProcess(words).run() }
    guard let result else {
      throw TargetError(
        .unusable,
        "\(name): there is no program '\(program)' in the absolute folders of PATH; install rclone, or add its folder "
          + "with its whole path")
    }
    switch result.status {
    case 0: return result
    // rclone's exit statuses for a missing folder and a missing file. If one vanishes while it is
    // read, a part of the output precedes the status, and must not pass for nothing.
    case 3, 4:
      guard result.output.contains(where: { !"[]\n".utf8.contains($0) }) else { return nil }
      throw TargetError(.failed, "\(name): something vanished while it was read; run again")
    // rclone's exit status for temporary errors, which more retries might mend.
    case 5: throw TargetError(.unreachable, sentence(result))
    default: throw TargetError(.failed, sentence(result))
    }
  }

  /// Returns the failure with the last line that rclone wrote.
  private func sentence(_ result: ChildProcess.Result) -> String {
    let line = result.errors.split(separator: "\n").last.map(String.init) ?? "no message"
    let said = line.drop { $0.isNumber || "/: ".contains($0) }
    return "\(name): rclone ended with status \(result.status): \(said)"
  }
}
