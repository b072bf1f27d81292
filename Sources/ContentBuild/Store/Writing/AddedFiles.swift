import ContentModel
import System

/// The files that a build has added so far.
struct AddedFiles: Sendable {
  /// The state of an object's file, or of the `.gz` file beside it.
  enum Content: Sendable {
    /// The file is not staged yet: a thread is making it, or it is a link.
    case pending
    case absent
    /// The file is in place already.
    case kept(size: Int)
    /// The file is in the staging folder, under this number.
    case staged(Int, size: Int)
    /// The file is in the staging folder, in a tree that one rename puts in place.
    case inTree(size: Int)
  }

  /// An object's file and the compressed one beside it.
  struct Object: Sendable {
    var plain: Content
    var compressed: Content
  }

  /// The source of another file's bytes.
  enum File: Sendable {
    case content(Content)
    /// An object under another name; staged after the last addition.
    case link(ObjectName, Content)
  }

  var objects: [ObjectName: Object] = [:]
  var files: [RelativePath: File] = [:]
  /// The first failure; a build that lacks a file is never committed.
  var failure: StoreError?
  private var lastNumber = 0

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
