import ContentModel

/// What a build has added so far.
struct BuildPlan: Sendable {
  /// What became of an object, or of its `.gz` file.
  enum Content: Sendable {
    /// Somebody is still at work on it.
    case claimed
    case absent
    /// It stands under its final name already.
    case kept(size: Int)
    /// It waits in the staging folder, under this number.
    case staged(Int, size: Int)
    /// It waits in the staging folder, in a tree that is put in place as a whole.
    case planted(size: Int)
  }

  /// An object's file and the compressed one beside it.
  struct Object: Sendable {
    var plain: Content
    var compressed: Content
  }

  /// Where another file's bytes come from.
  enum File: Sendable {
    case content(Content)
    /// An object under another name; staged once nothing is added any more.
    case link(ObjectName, Content)
  }

  var objects: [ObjectName: Object] = [:]
  var files: [RelativePath: File] = [:]
  /// What went wrong first; a build with a hole in it is never committed.
  var failure: StoreError?
  private var lastNumber = 0

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
