import ArgumentParser
import ContentSource
import Diagnostics

/// Which content folder a command reads.
struct ContentOptions: ParsableArguments {
  @Option(
    name: .customLong("content"),
    help: ArgumentHelp(
      "The folder with content.yaml. Default: 'content' here, else that of the nearest project above.",
      valueName: "folder"))
  var named: String?

  /// The folder that is named, or the one that is found.
  var content: String { named ?? ProjectLocation.found.content }

  /// The same without the flags.
  var place: ContentPlace { ContentPlace(path: content) }

  /// The folder, listed; messages name it as it was typed.
  func open() throws(Failure) -> ContentFolder { try place.open() }

  /// The folder without its list.
  func unlisted() throws(Failure) -> ContentFolder { try place.unlisted() }
}

extension String {
  /// A folder's path as the beginning of another path; `.` is left out where it says nothing.
  var withoutTrailingSlashes: String {
    // By bytes: a no-op build has few milliseconds, and the views of characters would take half of one to set up.
    let bytes = utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    return end == bytes.startIndex || end == bytes.endIndex ? self : String(self[..<end])
  }
}
