import ContentModel
import System

/// A path below the output folder: plain names joined by slashes, compared by their bytes.
struct RelativePath: Hashable, Comparable, Sendable {
  var text: String { path.text }
  private let path: ExactString

  /// Creates a path; throws unless the path is inside the folder and file systems accept it.
  ///
  /// A name in the path must not be empty, `.` or `..`, must have at most 255 bytes, and must not
  /// contain a NUL.
  init(_ text: String) throws(StoreError) {
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let arePlain = names.allSatisfy { name in
      let isDots = name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
      return !name.isEmpty && name.count <= 255 && !name.contains(0) && !isDots
    }
    let isStaging = names.first?.elementsEqual(OutputFolder.stagingName.utf8) ?? false
    guard arePlain, !isStaging else { throw .invalidPath(text) }
    path = ExactString(text)
  }

  init(found text: String) { path = ExactString(text) }

  /// The folders on the path: `a` and `a/b` for `a/b/c`.
  var folders: [RelativePath] {
    let utf8 = text.utf8
    return utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map {
      RelativePath(found: String(text[..<$0]))
    }
  }

  /// Returns the path with an ending appended.
  func adding(_ ending: String) -> RelativePath { RelativePath(found: text + ending) }

  static func < (a: RelativePath, b: RelativePath) -> Bool { a.path < b.path }
}
