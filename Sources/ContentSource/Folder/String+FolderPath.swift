extension String {
  /// A folder's path as the beginning of another path; `.` is left out where it says nothing.
  package var withoutTrailingSlashes: String {
    // By bytes: a no-op build has few milliseconds, and the views of characters would take half of
    // one to set up.
    let bytes = utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    return end == bytes.startIndex || end == bytes.endIndex ? self : String(self[..<end])
  }
}
