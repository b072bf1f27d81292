import HTTPTransport

/// The paths of invalidations.
enum CloudFrontPath {
  /// Returns a URL's path and query with only the ASCII characters that RFC 1738 calls safe.
  ///
  /// "If the path includes non-ASCII characters or unsafe characters as defined in RFC 1738,
  /// URL-encode those characters. Do not URL-encode any other characters in the path" (CloudFront's
  /// Developer Guide).
  static func path(_ url: String) -> String {
    URLEscape.escaped(SignedAddress(url).target) { byte in
      // Existing escapes remain.
      (0x21...0x7E).contains(byte) && !unsafe.contains(byte) || byte == UInt8(ascii: "%")
    }
  }

  private static let unsafe = Array("<>\"#%{}|\\^~[]`".utf8)
}
