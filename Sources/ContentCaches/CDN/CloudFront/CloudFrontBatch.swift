import ContentModel
import HTTPTransport

/// A batch of paths to invalidate, in CloudFront's form.
struct CloudFrontBatch {
  let body: [UInt8]
  /// The reference that lets CloudFront recognize a repeated request.
  let reference: String

  /// Names the batch by its items and by a text that differs for each purge.
  init(items: [String], unique: String) {
    let text = ([unique] + items).joined(separator: "\n")
    reference = "contentc-\(Digest(of: Array(text.utf8)).hex)"
    let paths = items.map { "<Path>\(Self.escaped($0))</Path>" }.joined()
    body = Array(
      """
      <InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Paths>\
      <Quantity>\(items.count)</Quantity><Items>\(paths)</Items></Paths>\
      <CallerReference>\(reference)</CallerReference></InvalidationBatch>
      """.utf8)
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
  }
}

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
