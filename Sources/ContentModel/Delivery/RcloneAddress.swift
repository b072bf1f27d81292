/// An address `rclone:REMOTE:PATH`: a remote in the user's rclone configuration, and a path.
///
/// rclone also accepts a remote's settings in place of its name, and these can name a program to
/// run or a file to read. Because content has many authors, only plain names are accepted.
public struct RcloneAddress: Hashable, Sendable {
  /// The remote's name, as `rclone listremotes` prints it.
  public let remote: String
  /// The path at the remote, which can be empty.
  public let path: String

  /// The form of an address as a clause after “must”.
  public static let rule =
    "be rclone:REMOTE:PATH, with a name from 'rclone listremotes' "
    + "(letters, digits, '_', '-' and '.') and a path without '..'"

  /// Creates an address; `nil` if the name or the path has other characters, or `..` occurs in
  /// the path.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "rclone" else { return nil }
    let (remote, path) = (parts[1], parts[2])
    let isName = !remote.isEmpty && !remote.hasPrefix("-") && remote.utf8.allSatisfy(Self.isInName)
    let isPath = path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    // A slash and a combining mark behind it would be one character, which hides a `..` before it.
    let names = path.utf8.split(separator: UInt8(ascii: "/"))
    guard isName, isPath, !names.contains(where: { $0.elementsEqual("..".utf8) }) else {
      return nil
    }
    (self.remote, self.path) = (String(remote), String(path))
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-.".utf8.contains(byte)
    }
  }
}
