import System
import SystemC

extension TargetError {
  /// Describes a failure of a folder, and the remedy.
  init(_ error: StoreError, target: String) {
    switch error {
    case .failed(let operation, let path, let code):
      self.init(failed: "cannot \(operation.rawValue) '\(path)'", at: path, code)
    case .busy:
      self.init(
        .busy,
        "'\(target)': another publisher is at work there; wait until it has finished, then try again"
      )
    case .symbolicLink(let path):
      self.init(
        .unusable,
        "'\(path)' is a symbolic link, which may lead anywhere; remove the link, then run the same command "
          + "again"
      )
    case .folderInPlaceOfFile(let path):
      self.init(
        .unusable,
        "'\(path)' is not a file\(Self.remedy(for: path)), then run the same command again")
    case .invalidPath(let key):
      self.init(
        .unusable,
        "'\(key)' cannot be the name of a file in '\(target)'; choose shorter names of letters and digits"
      )
    case .notOurs(_, let path):
      self.init(
        .unusable,
        "servers would take '\(path)' for the compressed copy of another file; remove it, then run the same command again"
      )
    case .missingObject, .tooLarge: self.init(.failed, error.description)
    case .changed(let path):
      self.init(
        .unreadable,
        "'\(path)' changed while it was sent to '\(target)', which did not take it; run 'contentc build' and publish again"
      )
    }
  }

  private init(failed failure: String, at path: String, _ code: Int32) {
    switch StoreError.failed(.open, path: path, errno: code).kind {
    case .diskFull:
      self.init(
        .failed,
        "\(failure): the disk is full; free some space and run the same command again; readers notice nothing"
      )
    case .readOnly:
      self.init(
        .denied,
        "\(failure): the file system is read-only; let it be written to, or choose another folder")
    case .notAFolder:
      self.init(
        .unusable,
        "\(failure): a file has the name of a folder; remove it, or choose another folder")
    case .permission:
      self.init(
        .denied,
        "\(failure): permission denied; change its owner or mode, or run the command as "
          + "another user")
    case .other where code == ENOENT && (try? Disk.examine(path).kind) == .symbolicLink:
      self.init(
        .missing,
        "\(failure): it is a symbolic link to a folder that does not exist; make that folder, or remove "
          + "the link"
      )
    case .other where code == ENOENT:
      self.init(
        .missing, "\(failure): there is no such folder; make '\(path)' first, or choose another one"
      )
    case .busy, .notOurs, .other:
      self.init(
        .failed,
        "\(failure): \(String(cString: strerror(code))); mend that and run the same command again")
    }
  }

  /// Returns the obstacle in place of a file, and the commands that move it away.
  private static func remedy(for path: String) -> String {
    let move = "mv '\(path)' '\(path).old'"
    return (try? Disk.examine(path).kind) == .folder
      ? " but a folder; type: rmdir '\(path)', or if it is not empty: \(move)"
      : " but a pipe, socket or device; type: \(move)"
  }
}
