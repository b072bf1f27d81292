import ContentModel
import Testing

@testable import ContentTargets
@testable import HTTPTransport

@Suite struct S3AddressTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret"]

  @Test(arguments: [
    ("s3://flowers", [:], "https://flowers.s3.us-east-1.amazonaws.com/v/k"),
    (
      "s3://flowers/", ["AWS_REGION": "eu-west-1"], "https://flowers.s3.eu-west-1.amazonaws.com/v/k"
    ),
    (
      "s3://flowers", ["AWS_DEFAULT_REGION": "cn-north-1"],
      "https://flowers.s3.cn-north-1.amazonaws.com.cn/v/k"
    ),
    (
      "s3://flowers?region=eu-west-2", ["AWS_REGION": "eu-west-1"],
      "https://flowers.s3.eu-west-2.amazonaws.com/v/k"
    ),
    ("s3://flowers.example/a/b/", [:], "https://s3.us-east-1.amazonaws.com/flowers.example/v/k"),
    ("s3://flowers?addressing=path", [:], "https://s3.us-east-1.amazonaws.com/flowers/v/k"),
    ("s3://flowers?endpoint=http://127.0.0.1:8333", [:], "http://127.0.0.1:8333/flowers/v/k"),
    ("s3://flowers?endpoint=http%3A%2F%2Fhost%3A80%2F", [:], "http://host/flowers/v/k"),
    ("s3://flowers?endpoint=https://host:443&addressing=virtual", [:], "https://flowers.host/v/k"),
    (
      "s3://flowers", ["AWS_ENDPOINT_URL": "http://a:1", "AWS_ENDPOINT_URL_S3": "http://b:2"],
      "http://b:2/flowers/v/k"
    ),
    ("s3://flowers?endpoint=https://a/storage/s3/", [:], "https://a/storage/s3/flowers/v/k"),
    (
      "s3://flowers?endpoint=https://a:443/s3&addressing=virtual", [:],
      "https://flowers.a/s3/v/k"
    ),
    (
      "s3://flowers?endpoint=http://c:3", ["AWS_ENDPOINT_URL": "http://a:1"],
      "http://c:3/flowers/v/k"
    ),
  ])
  func resolvesTheServerURL(address: String, environment: [String: String], url: String) throws {
    let variables = keys.merging(environment) { $1 }
    let location = try S3Location(
      S3Address(address), settings: S3Settings(environment: { variables[$0] }, file: { _ in nil }))
    #expect(location.url(S3Request(.get, key: "v/k")) == url)
  }

  /// The advice about a redirection names an endpoint whose requests go where it leads.
  @Test(arguments: [
    ("https://a&addressing=virtual", "https://flowers.new.example", "https://new.example"),
    ("http://a&addressing=virtual", "https://flowers.new.example:9", "https://new.example:9"),
    ("https://a&addressing=virtual", "https://new.example", "https://new.example"),
    ("https://a", "https://flowers.new.example", "https://flowers.new.example"),
  ])
  func findsTheEndpointOfAnOrigin(address: String, origin: String, endpoint: String) throws {
    let location = try S3Location(
      S3Address("s3://flowers?endpoint=\(address)"),
      settings: S3Settings(environment: { [keys] in keys[$0] }, file: { _ in nil }))
    #expect(location.endpoint(ofOrigin: origin) == endpoint)
  }

  @Test func readsPrefixAndEncoding() throws {
    let address = try S3Address("s3://flowers/app/v1?encoding=identity")
    #expect(
      address.prefix == "app/v1/" && address.isIdentity && address.shown == "s3://flowers/app/v1")
    #expect(try S3Address("s3://flowers").prefix.isEmpty)
    #expect(try !S3Address("s3://flowers?encoding=gzip").isIdentity)
  }

  @Test(arguments: [
    ("flowers", "begins with 's3://'"), ("S3://flowers", "begins with"), ("s3://", "3 to 63"),
    ("s3://ab", "3 to 63"),
    ("s3://Flowers", "lower-case"), ("s3://flowers_1", "lower-case"),
    ("s3://-flowers", "lower-case"), ("s3://\u{301}flowers", "lower-case"),
    ("s3://key:secret@\u{301}flowers", "lower-case"),
    ("s3://key:secret@flowers", "lower-case"), ("s3://flowers//a", "single '/'"),
    ("s3://flowers/a/../b", "single '/'"),
    ("s3://flowers/ä", "the path has"), ("s3://flowers/a b", "the path has"),
    ("s3://flowers?", "options"),
    ("s3://flowers?region", "options"), ("s3://flowers?region=", "options"),
    ("s3://flowers?region=a%2", "options"),
    ("s3://flowers?region=a&region=b", "once"), ("s3://flowers?region=a/b", "a region is"),
    ("s3://flowers?adressing=path", "no option 'adressing'"),
    ("s3://flowers?addressing=host", "'path' or 'virtual'"),
    ("s3://flowers?encoding=br", "'gzip' or 'identity'"),
    ("s3://flowers?endpoint=127.0.0.1:8333", "an endpoint is"),
    ("s3://flowers?endpoint=http://", "an endpoint is"),
    ("s3://flowers?endpoint=http://a/b c", "an endpoint is"),
    ("s3://flowers?endpoint=http://a//b", "an endpoint is"),
    ("s3://flowers?endpoint=http://a/../b", "an endpoint is"),
    ("s3://flowers?endpoint=http://a/b?c", "an endpoint is"),
    ("s3://flowers?endpoint=http://a/b\u{600}/", "an endpoint is"),
    ("s3://flowers?endpoint=http://me:pass@a", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:65536", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:b", "an endpoint is"),
  ])
  func refusesInvalidAddresses(address: String, rule: String) {
    let error = #expect(throws: S3Address.Mistake.self) { try S3Address(address) }
    #expect(error?.description.contains(rule) == true, "\(error?.description ?? "")")
    #expect(
      error?.description.contains("secret") == false
        && error?.description.contains("pass@") == false)
  }
}
