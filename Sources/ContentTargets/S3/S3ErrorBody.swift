import HTTPTransport

/// The body of an S3 error.
struct S3ErrorBody {
  /// A word that Amazon's reference explains, such as `NoSuchBucket`.
  let code: String
  /// A sentence; shortened, and without line breaks.
  let message: String
  /// The region of the bucket, if the request went to another one.
  let region: String?

  /// Reads `<Error>`, `credentials` being hidden where it quotes them; `nil` if it is anything
  /// else.
  init?(_ body: [UInt8], hiding credentials: AmazonCredentials? = nil) {
    guard let root = AmazonXML(body), root.name == "Error", let code = root["Code"]?.text,
      !code.isEmpty
    else {
      return nil
    }
    self.code = Self.line(code, 60)
    let said = root["Message"]?.text ?? ""
    // Before it is cut: half a secret is too much.
    message = Self.line(credentials?.hidden(in: said) ?? said, 300)
    region = root["Region"]?.text
  }

  /// As it is quoted.
  var quoted: String { message.isEmpty ? code : "\(code): \(message)" }

  private static func line(_ text: String, _ limit: Int) -> String {
    let plain = text.unicodeScalars.map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    return String(String(plain).prefix(limit))
  }
}
