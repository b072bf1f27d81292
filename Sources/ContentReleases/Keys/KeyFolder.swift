import ContentModel
import PropertyLists
package import SiteFormat
import System
import SystemC

/// The key documents of a channel in its content: the files `1.json`, `2.json` and so on.
///
/// `dropped.json` says which of these documents configs no longer carry.
package struct KeyFolder: Sendable {
  package let path: String
  /// The version of the oldest document from which readers can follow the channel.
  ///
  /// Configs carry the documents after this version.
  package private(set) var base = 1
  /// All documents, in order; the last one may lack signatures.
  package private(set) var documents: [KeyDocument] = []

  /// Why the folder cannot be used: a file, and a sentence without its full stop.
  package struct Problem: Error, Hashable, Sendable {
    package let path: String
    package let reason: String
  }

  /// Reads the documents of an app's channel; none if there is no folder.
  ///
  /// - Throws: `Problem` for a file that is no document, a document of another app or channel, a gap
  ///   in the numbers, a document that lacks signatures although a later one follows, and a
  ///   `dropped.json` that names no such document.
  package init(_ path: String, app: String, channel: String) throws(Problem) {
    self.path = path
    while let bytes = try Self.contents(file(documents.count + 1)) {
      documents.append(try document(bytes, app: app, channel: channel))
    }
    let count = documents.count
    for number in (count + 2)..<(count + 34) where access(file(number), F_OK) == 0 {
      throw Problem(
        path: file(number), reason: "the document before it, \(number - 1).json, is missing")
    }
    for number in documents.indices.dropLast() {
      if let reason = reasonAgainst(number) {
        throw Problem(path: file(number + 1), reason: reason)
      }
    }
    base = try readBase()
  }

  // MARK: Dropped documents

  private var dropFile: String { "\(path)/dropped.json" }

  private func readBase() throws(Problem) -> Int {
    guard let bytes = try Self.contents(dropFile) else { return 1 }
    let value = try? PropertyList.decode(bytes, as: .json).value
    if let newer = NewerFormat(value?["format"], above: 1) {
      throw Problem(path: dropFile, reason: newer.sentence(about: "the file"))
    }
    guard let value, value["format"]?.number == 1, let below = value["below"]?.number,
      (2...max(2, trusted.count)).contains(below), below <= trusted.count
    else {
      throw Problem(
        path: dropFile,
        reason: "it must have 'format' 1, and in 'below' the version of a signed document from 2")
    }
    return below - 1
  }

  /// Stops configs from carrying the key documents below a version.
  ///
  /// A reader can then follow the channel only if it trusts the document before that version, or a
  /// later one.
  ///
  /// - Throws: `Problem`.
  package func drop(below version: Int) throws(Problem) {
    do {
      let value: Value = ["format": 1, "below": .integer(Int64(version))]
      try AtomicFile(dropFile).write(
        PropertyList.encode(value, as: .json) + [UInt8(ascii: "\n")])
    } catch {
      throw Problem(path: dropFile, reason: "the file cannot be written: \(error)")
    }
  }

  // MARK: Documents

  /// The names of all keys, each from the last document that names the key.
  package var names: [KeyID: String] {
    documents.reduce(into: [:]) { names, document in
      names.merge(document.names) { _, later in later }
    }
  }

  /// The documents up to the last one with all of its signatures.
  package var trusted: [KeyDocument] {
    guard let last = documents.indices.last, reasonAgainst(last) != nil else { return documents }
    return Array(documents.dropLast())
  }

  /// The last document, if it lacks signatures.
  package var pending: KeyDocument? {
    documents.count > trusted.count ? documents.last : nil
  }

  /// Replaces or adds the file of a document by rename.
  ///
  /// - Throws: `Problem`.
  package func write(_ signed: SignedBody, version: Int) throws(Problem) {
    do {
      // If this fails, so does the write.
      try? Disk.makeFolders(path)
      try AtomicFile(file(version)).write(try signed.file())
    } catch {
      throw Problem(path: file(version), reason: "the file cannot be written: \(error)")
    }
  }

  /// The path of a document's file.
  package func file(_ version: Int) -> String { "\(path)/\(version).json" }

  private func document(
    _ bytes: [UInt8], app: String, channel: String
  ) throws(Problem) -> KeyDocument {
    let version = documents.count + 1
    do throws(TrustError) {
      let document = try KeyDocument(SignedBody(file: bytes))
      guard document.version == version else {
        throw TrustError.documentOutOfOrder(version: document.version, trusted: version - 1)
      }
      guard document.isFor(app: app, channel: channel) else {
        throw TrustError.foreign(.keys(version: version))
      }
      return document
    } catch {
      throw Problem(path: file(version), reason: error.reason)
    }
  }

  /// Returns why a document is not trusted, given the one before it; `nil` if it is.
  private func reasonAgainst(_ place: Int) -> String? {
    do throws(TrustError) {
      try documents[place].requireSignatures(after: place > 0 ? documents[place - 1] : nil)
      return nil
    } catch { return error.reason }
  }

  /// Returns the bytes of a regular file, at most `limit` and one more; `nil` without the file.
  package static func contents(
    _ path: String, limit: Int = SignedBody.fileByteLimit
  ) throws(Problem) -> [UInt8]? {
    let limit = limit + 1
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Problem(
        path: path, reason: "the file cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Problem(path: path, reason: "it is no regular file")
    }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      count = read(descriptor, buffer.baseAddress, limit)
      filled = max(0, count)
    }
    guard count >= 0 else {
      throw Problem(
        path: path, reason: "the file cannot be read: \(String(cString: strerror(errno)))")
    }
    return bytes
  }
}
