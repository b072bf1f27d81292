import ContentClient

/// Returns the seconds of the first look of new clients, by the number of the config that they get.
///
/// All but the first config are signed. Their clients pin the key document at a path.
func firstLooks(
  at site: LocalSite, pinning document: String, rounds: Int
) async throws -> [String: [Double]] {
  var seconds: [String: [Double]] = [:]
  for _ in 0..<rounds {
    for number in 1...site.count {
      site.serve(number)
      var configuration = ContentConfiguration(
        url: LocalSite.url, app: "bench", channel: "production")
      configuration.context = ReaderContext(locales: ["en"])
      configuration.transport = site
      if number > 1 { configuration.trust = .pinned(path: document) }
      let client = try ContentClient(configuration)
      let start = ContinuousClock.now
      guard case .updated = await client.refresh(.launch).outcome else { throw BadUse() }
      seconds["\(number)", default: []].append((ContinuousClock.now - start) / .seconds(1))
    }
  }
  return seconds
}
