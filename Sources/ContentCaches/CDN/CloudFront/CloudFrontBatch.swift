import ContentModel
import Hashing

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
