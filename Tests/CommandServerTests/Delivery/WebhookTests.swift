import ContentModel
import PropertyLists
import SystemC
import TestInputs
import TestServers
import Testing

@testable import TestCommands

/// The settings and the script of docs/reference/publishing.md, with a server of the test's own.
@Suite("The documented notifications", .waiting)
struct WebhookTests {
  let sandbox: Sandbox
  let server: Program
  private let port: UInt16
  /// The code blocks of the section on notifications, each with its language in the first line.
  private let blocks: [String]

  /// A server that writes each request to a file, and refuses those without the secret.
  private static let script = """
    import http.server, json, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            with open("received", "a") as file:
                headers = {name.lower(): value for name, value in self.headers.items()}
                file.write(json.dumps({"path": self.path, "headers": headers, "body": body}) + "\\n")
            self.send_response(204 if "s3cret" in self.headers.get("Authorization", "") else 401)
            self.end_headers()
        def log_message(self, *arguments): pass
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
    """

  init() throws {
    sandbox = try Sandbox(WorkedExample.building)
    try sandbox.shell(
      """
      sed -i '/^channels:/,$d' content/content.yaml
      echo "channels: {production: {target: site}}" >> content/content.yaml
      """)
    try sandbox.write("server.py", Self.script)
    port = try Socket.freePorts(1)[0]
    server = try Program(
      "/bin/sh", ["-c", "cd '\(sandbox.root)' && exec python3 server.py \(port)"])
    try Socket.waitForListener(on: port, seconds: 20)
    let page = try Sandbox.checkedOut("docs/reference/publishing.md")
    let start = try #require(page.firstRange(of: "\n## Notifications\n"))
    let end = try #require(page.firstRange(of: "\n## Gates\n"))
    let address = "http://127.0.0.1:\(port)"
    let root = sandbox.root
    blocks = page[start.upperBound..<end.lowerBound].split(separator: "```").enumerated()
      .filter { $0.offset % 2 == 1 }.map {
        String($0.element).replacing("https://hooks.example.com", with: address)
          .replacing("https://api.push.apple.com", with: address)
          .replacing("/etc/contentc/", with: "\(root)/")
          .replacing("/usr/local/bin/", with: "\(root)/")
          .replacing("app: bakery", with: "app: flowershop")
      }
    try install("yaml", as: "settings.yaml")
    try install("sh", as: "push-release")
    chmod("\(root)/push-release", 0o755)
    try sandbox.write(
      "webhook.headers", "Authorization: Bearer s3cret\nContent-Type: application/json\n")
    try sandbox.write(
      "apns.headers", "authorization: bearer s3cret\napns-topic: com.example.flowers\n")
    try sandbox.write("devices", "00a1\n00b2\n")
  }

  private func install(_ language: String, as name: String) throws {
    let block = try #require(blocks.first { $0.hasPrefix("\(language)\n") })
    try sandbox.write(name, String(block.dropFirst(language.count + 1)))
    chmod("\(sandbox.root)/\(name)", 0o600)
  }

  private func received() throws -> [Value] {
    try String(decoding: sandbox.read("received") ?? [], as: UTF8.self).split(separator: "\n").map {
      try PropertyList.decode(Array($0.utf8), as: .json).value
    }
  }

  private func json(_ request: Value) throws -> Value {
    try PropertyList.decode(Array((request["body"]?.text ?? "").utf8), as: .json).value
  }

  @Test func postsAWebhookAndSilentPushes() throws {
    defer { server.stop() }
    let outcome = try sandbox.run("publish", "production", "--settings", "settings.yaml")
    #expect(outcome.status == 0, "\(outcome)")
    let requests = try received()
    let hook = try #require(requests.first { $0["path"] == "/content" })
    #expect(hook["headers"]?["content-type"] == "application/json")
    let expected: Value = [
      "format": 1, "app": "flowershop", "channel": "production", "release": 1, "kind": "publish",
      "changed": ["product/country-charm"],
    ]
    #expect(try json(hook) == expected)
    let pushes = requests.filter { $0["path"]?.text?.hasPrefix("/3/device/") == true }
    #expect(pushes.map { $0["path"] } == ["/3/device/00a1", "/3/device/00b2"])
    for push in pushes {
      #expect(push["headers"]?["apns-push-type"] == "background")
      #expect(push["headers"]?["apns-priority"] == "5")
      #expect(push["headers"]?["apns-topic"] == "com.example.flowers")
      let payload: Value = ["aps": ["content-available": 1], "release": 1]
      #expect(try json(push) == payload)
    }
  }

  @Test func reportsARefusal() throws {
    defer { server.stop() }
    try sandbox.write("webhook.headers", "Authorization: Bearer wr0ng\n")
    let outcome = try sandbox.run("publish", "production", "--settings", "settings.yaml")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("error: 'curl' ended with status 22: "), "\(outcome.errors)")
    #expect(outcome.errors.contains("401") && !"\(outcome)".contains("wr0ng"))
    try sandbox.write("webhook.headers", "Authorization: Bearer s3cret\n")
    #expect(
      try sandbox.run("notify", "production", "--settings", "settings.yaml").status == 0)
  }

  @Test func reportsAServerThatIsDown() throws {
    server.stop()
    let outcome = try sandbox.run("publish", "production", "--settings", "settings.yaml", "--json")
    #expect(outcome.status == 3)
    let json = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
    #expect(json["notify"]?.items?.map { $0["status"] } == [7, 7])
  }
}
