import ContentModel
import ContentSource
package import ContentTargets
import System

/// The address of a channel's target in `content.yaml`.
package struct TargetAddress {
  private let text: String
  /// The folder that holds the content folder, with a slash at the end; empty for the current one.
  private let folder: String

  /// Creates an address; the path of a folder is relative to the folder that holds the content
  /// folder.
  package init(_ text: String, beside content: String) {
    self.text = text
    folder = FolderPath.parent(of: content)
  }

  /// The path of a folder target; `nil` for other targets.
  package var folderPath: String? {
    guard !text.contains(":") else { return nil }
    return text.hasBytePrefix("/") ? text : folder + text
  }

  /// Opens the target; with `emergency`, its writes precede those of other processes that wait.
  ///
  /// With `isSingleWriter`, the user promises that no other publisher runs. `whenSlow` receives the
  /// name of a server once its answers take long.
  ///
  /// - Throws: `TargetError` for an invalid address.
  package func open(
    isSingleWriter: Bool = false, emergency: EmergencyPatience? = nil,
    whenSlow: @escaping @Sendable (_ target: String) -> Void = { _ in }
  ) throws -> any Target {
    switch Channel.TargetKind(of: text) {
    case .s3:
      return try S3Target(
        text, variable: Environment.value, file: { try? InputFile(path: $0).read() },
        isSingleWriter: isSingleWriter, whenSlow: whenSlow)
    case .rclone: return try RcloneTarget(text, whenSlow: whenSlow)
    case .folder: return try openFolder(emergency: emergency)
    }
  }

  private func openFolder(emergency: EmergencyPatience?) throws(TargetError) -> FolderTarget {
    if let colon = text.firstIndex(of: ":"),
      text[..<colon].allSatisfy({ $0.isLetter || $0.isNumber })
    {
      throw TargetError(
        .unusable,
        "'\(text[..<colon]):…' is not a known kind of target: use \(Channel.TargetKind.forms)")
    }
    return FolderTarget(text.hasBytePrefix("/") ? text : folder + text, emergency: emergency)
  }
}
