import HTTPTransport
import System
import TestServers
import XML

@testable import ContentCaches

/// moto's CloudFront with one distribution.
final class MotoServer: Sendable {
  static let credentials = AmazonCredentials(
    accessKey: "AKID", secretKey: "s3cret", sessionToken: nil)

  let address: String
  let distribution: String
  private let program: Program
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    let port = try Socket.freePorts(1)[0]
    address = "http://127.0.0.1:\(port)"
    program = try Program(
      Program.tool("moto/bin/moto_server"), ["-H", "127.0.0.1", "-p", "\(port)"],
      output: folder.path("output"))
    do {
      try Socket.waitForListener(on: port, seconds: 60)
      let made = try Self.ask(
        address, .post, "/2020-05-31/distribution", Array(Self.configuration.utf8))
      guard let id = made["Id"]?.text else { throw Problem("moto makes no distribution") }
      distribution = id
    } catch {
      program.stop()
      throw error
    }
  }

  deinit { program.stop() }

  /// Returns the paths of each invalidation.
  func invalidated() throws -> [[String]] {
    let place = "/2020-05-31/distribution/\(distribution)/invalidation"
    let list = try Self.ask(address, .get, place)
    let ids = list["Items"]?.children.compactMap { $0["Id"]?.text } ?? []
    return try ids.map { id in
      let batch = try Self.ask(address, .get, "\(place)/\(id)")["InvalidationBatch"]
      return batch?["Paths"]?["Items"]?.children.map(\.text) ?? []
    }
  }

  private static func ask(
    _ address: String, _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = []
  ) throws -> XMLTree {
    let signature = SignatureV4(.cloudFront, credentials: credentials, region: "us-east-1")
    let request = HTTPRequest(method, address + path, body: body)
    let answer = try HTTPClient().send(
      signature.signed(request, at: RequestEnvironment.system.now()))
    guard (200..<300).contains(answer.status), let root = XMLTree(answer.body) else {
      throw Problem(
        "moto answers \(answer.status): \(String(decoding: answer.body.prefix(500), as: UTF8.self))"
      )
    }
    return root
  }

  private static let configuration = """
    <DistributionConfig xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><CallerReference>one</CallerReference>\
    <Origins><Quantity>1</Quantity><Items><Origin><Id>o</Id><DomainName>origin.example.com</DomainName>\
    <CustomOriginConfig><HTTPPort>80</HTTPPort><HTTPSPort>443</HTTPSPort>\
    <OriginProtocolPolicy>https-only</OriginProtocolPolicy></CustomOriginConfig></Origin></Items></Origins>\
    <DefaultCacheBehavior><TargetOriginId>o</TargetOriginId><ViewerProtocolPolicy>https-only</ViewerProtocolPolicy>\
    </DefaultCacheBehavior><Comment></Comment><Enabled>true</Enabled></DistributionConfig>
    """
}
