import HTTPTransport
import XML

/// The body of an S3 error.
struct S3ErrorBody {
  /// The code that Amazon's reference explains, such as `NoSuchBucket`.
  let code: String
  /// The server's sentence, shortened and without line breaks.
  let message: String
  /// The region of the bucket, if the request was sent to another region.
  let region: String?

  /// Reads an `<Error>` element, and hides credentials that it quotes; `nil` for any other body.
  init?(_ body: [UInt8], hiding credentials: CredentialProvider? = nil) {
    guard let root = XMLTree(body), root.name == "Error", let code = root["Code"]?.text,
      !code.isEmpty
    else {
      return nil
    }
    self.code = Self.line(code, limit: 60)
    let said = root["Message"]?.text ?? ""
    // Credentials are hidden before the text is cut, because a part of a secret is still secret.
    message = Self.line(credentials?.hidden(in: said) ?? said, limit: 300)
    region = root["Region"]?.text
  }

  /// The code and the sentence, as messages quote them.
  var quoted: String { message.isEmpty ? code : "\(code): \(message)" }

  private static func line(_ text: String, limit: Int) -> String {
    let plain = text.unicodeScalars.map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    return String(String(plain).prefix(limit))
  }
}
