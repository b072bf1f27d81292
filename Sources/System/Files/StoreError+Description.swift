import SystemC

extension StoreError.Kind {
  init(errno code: Int32) {
    self =
      switch code {
      case ENOSPC, EDQUOT: .diskFull
      case EROFS: .readOnly
      case ENOTDIR: .notAFolder
      case EACCES, EPERM: .permission
      default: .other
      }
  }
}

extension StoreError: CustomStringConvertible {
  /// One sentence with the failure and its remedy.
  package var description: String {
    switch self {
    case .failed(let operation, let path, let code): Self.sentence(operation, of: path, code: code)
    case .busy(let folder):
      "another build is writing to '\(folder)', perhaps that of a running preview; wait until it has finished, or choose another folder with --out"
    case .notOurs(let folder, let example):
      "'\(folder)' holds files that contentc did not write, such as '\(example)'; choose an empty folder with --out"
    case .symbolicLink(let path):
      "'\(path)' is a symbolic link, and a folder belongs there; remove the link and build again"
    case .folderInPlaceOfFile(let path):
      "'\(path)' is a folder, and a file belongs there; remove the folder and build again"
    case .invalidPath(let path):
      "'\(path)' cannot be the name of a file in the output folder; choose shorter, plain names"
    case .missingObject(let path, let object):
      "'\(path)' is to be a link to object \(object), which this build did not write; please report this"
    case .tooLarge(let path, let size):
      "'\(path)' has \(size) bytes, more than contentc reads of such a file: something else wrote it; remove it"
    case .changed(let path):
      "'\(path)' changed while it was read; build again, and leave it alone meanwhile"
    }
  }

  private static func sentence(_ operation: Operation, of path: String, code: Int32) -> String {
    let failure = "cannot \(operation.rawValue) '\(path)'"
    return switch Kind(errno: code) {
    case .diskFull:
      "\(failure): the disk is full; free some space and build again, the earlier build is untouched"
    case .readOnly:
      "\(failure): the file system is read-only; choose a folder that can be written to"
    case .notAFolder:
      "\(failure): a file has the name of a folder; remove it or choose another folder"
    case .permission:
      "\(failure): permission denied; change its owner or mode, or choose another folder"
    case .busy, .notOurs, .other:
      "\(failure): \(String(cString: strerror(code))); mend that and build again"
    }
  }
}
