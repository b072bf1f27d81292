import ContentCaches
import ContentTargets
import TestServers
import Testing

/// The maintenance switch of every printed configuration, and the readers' answers during
/// maintenance.
@Suite(.needsServers) struct MaintenanceSwitchTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    #expect(
      try FolderTarget(scratch.path).replace(
        "qa/config.plist", with: .config("release 1"), tagged: nil))
  }

  @Test(arguments: ServerKind.all.filter { [.file, .socket].contains($0.maintenance) })
  func answersInTheReadersLanguage(kind: ServerKind) throws {
    let origin = try DeliveryServer(.nginx, root: scratch.path)
    let server =
      kind.role == .origin
      ? try DeliveryServer(kind, root: scratch.path) : try DeliveryServer(kind, before: origin)
    #expect(try server.get("/qa/config.plist").text == "release 1", "\(server.output)")
    try server.setMaintenance(true)
    for (languages, title) in [
      (nil, "Down"), ("fr", "Panne"), ("FR-ca", "Panne (Canada)"),
      ("de, fr-CA;q=0.8, en;q=0.5", "Panne (Canada)"),
      ("fr-CH", "Panne"), ("frx", "Down"), ("zh-TW", "維護"), ("zh-Hant-HK", "維護"), ("zh", "Down"),
      ("*", "Down"),
    ] {
      let answer = try server.get(
        "/qa/config.plist", languages.map { ["Accept-Language": $0] } ?? [:])
      #expect(
        answer.status == 503 && answer.text == "{\"title\":\"\(title)\"}", "\(languages ?? "none")")
      #expect(answer["Retry-After"] == "300" && answer["Cache-Control"] == "no-store")
      #expect(answer["Content-Type"] == "application/json" && !answer.has("CDN-Cache-Control"))
    }
    #expect(
      try server.get("/qa/config.plist", ["If-None-Match": "*", "Range": "bytes=0-1"]).status == 503
    )
    try server.setMaintenance(false)
    #expect(try server.get("/qa/config.plist").text == "release 1")
  }

  @Test func refusesPurgesOfStrangersThroughHAProxy() throws {
    let origin = try DeliveryServer(.nginx, root: scratch.path)
    let shield = try DeliveryServer(.varnish, before: origin)
    let front = try DeliveryServer(.haproxy, before: shield)
    for path in [
      "/_purge/qa/config.plist", "//_purge/qa/config.plist", "/%5Fpurge/qa/config.plist",
      "/x/../%5fpurge/qa/config.plist",
    ] {
      #expect(try front.send("GET", path, from: "127.0.0.2").status == 403)
    }
    for method in ["PURGE", "PURGEKEYS", "BAN"] {
      #expect(try front.send(method, "/qa/config.plist", from: "127.0.0.2").status == 403)
    }
    #expect(try front.send("PURGE", "/qa/config.plist").status == 200)
  }
}
