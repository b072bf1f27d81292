import ContentModel
import ContentSource
import ContentTargets
import Platform

/// The address of a channel's target in `content.yaml`.
struct TargetAddress {
  private let text: String
  private let folder: String

  /// An address; a folder's is taken from the folder that holds the content folder.
  init(_ text: String, beside content: String) {
    self.text = text
    let parent = content.withoutTrailingSlashes.split(
      separator: "/", omittingEmptySubsequences: false
    ).dropLast()
    folder = parent.isEmpty ? "" : parent.joined(separator: "/") + "/"
  }

  /// The path of a folder target; `nil` for other targets.
  var folderPath: String? {
    guard !text.contains(":") else { return nil }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// The target; with `emergency`, its writes go before those of others that wait.
  ///
  /// - Throws: `TargetError` for an address that cannot be right.
  func open(emergency: EmergencyPatience? = nil) throws -> any Target {
    if text.hasPrefix("s3://") {
      return try S3Target(text, environment: Environment.value) { try? InputFile(path: $0).read() }
    }
    if text.hasPrefix("rclone:") { return try RcloneTarget(text) }
    if let colon = text.firstIndex(of: ":"),
      text[..<colon].allSatisfy({ $0.isLetter || $0.isNumber })
    {
      throw TargetError(
        .unusable,
        "'\(text[..<colon]):…' is not a known kind of target: use a folder, s3://bucket/prefix or rclone:remote:path"
      )
    }
    return FolderTarget(text.hasPrefix("/") ? text : folder + text, emergency: emergency)
  }
}
