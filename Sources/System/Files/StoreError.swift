/// A failure to read or write files, as facts; `description` turns them into a sentence.
package enum StoreError: Error, Hashable, Sendable {
  /// A system call failed.
  case failed(Operation, path: String, errno: Int32)
  /// Another build holds the folder.
  case busy(folder: String)
  /// The folder holds files that no build wrote, such as the example.
  case notOurs(folder: String, example: String)
  /// A symbolic link is in place of a folder.
  case symbolicLink(path: String)
  /// A folder is in place of a file.
  case folderInPlaceOfFile(path: String)
  /// The path leaves the folder, or a component is empty, reserved for staging, or longer than 255
  /// bytes.
  case invalidPath(String)
  /// A file links to an object that the build never added.
  case missingObject(path: String, object: String)
  /// A file changed while it was read.
  case changed(path: String)
  /// A file has more bytes than its reader accepts.
  case tooLarge(path: String, size: Int)

  /// The failed operation, as a verb that a path follows.
  package enum Operation: String, Hashable, Sendable {
    case createFolder = "create folder"
    case open
    case lock
    case read
    case write
    case sync
    case rename
    case link
    case list
    case examine
    case remove
  }

  /// The cause of the error, as far as a user can remove it.
  package enum Kind: Hashable, Sendable {
    case diskFull
    case readOnly
    case notAFolder
    case permission
    case busy
    case notOurs
    case other
  }

  /// The cause of the error, as far as a user can remove it.
  package var kind: Kind {
    switch self {
    case .failed(_, _, let code): Kind(errno: code)
    case .busy: .busy
    case .notOurs: .notOurs
    case .symbolicLink: .notAFolder
    case .folderInPlaceOfFile, .invalidPath, .missingObject, .changed, .tooLarge: .other
    }
  }

  /// The file or folder that the error concerns.
  package var path: String {
    switch self {
    case .failed(_, let path, _), .symbolicLink(let path), .folderInPlaceOfFile(let path),
      .invalidPath(let path),
      .missingObject(let path, _), .busy(let path), .notOurs(let path, _), .changed(let path),
      .tooLarge(let path, _):
      path
    }
  }
}
