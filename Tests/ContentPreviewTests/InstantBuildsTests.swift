import ContentModel
import Dispatch
import PropertyLists
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// The limits of builds at other instants.
@Suite struct InstantBuildsTests {
  @Test func compilesOneInstantQueuesOneAndRefusesAThird() async throws {
    let isFree = DispatchSemaphore(value: 0)
    let builds = Self.builds { isFree.wait() }
    let (first, second) = (
      Task { try await builds.build(at: Self.moment(1)) }, Self.second(of: builds)
    )
    while builds.pendingCount < 2 { try await Task.sleep(for: .milliseconds(2)) }
    let error = await #expect(throws: RequestError.self) {
      try await builds.build(at: Self.moment(3))
    }
    #expect(error?.status == .serviceUnavailable && error?.retryAfter == 1)
    // A request for a queued instant waits for it.
    let third = Self.second(of: builds)
    try await Task.sleep(for: .milliseconds(20))
    for _ in 0..<4 { isFree.signal() }
    _ = try await (first.value, second.value, third.value)
    #expect(builds.pendingCount == 0)
    #expect(builds.instants == [Self.moment(1), Self.moment(2)])
    _ = try await builds.build(at: Self.moment(3))
  }

  @Test(arguments: [(1, [4]), (1 << 30, [3, 1, 4])])
  func keepsTheMostRecentlyUsedBuilds(byteLimit: Int, kept: [Int]) async throws {
    let builds = Self.builds(byteLimit: byteLimit)
    for number in [1, 2, 3, 1, 4] { _ = try await builds.build(at: Self.moment(number)) }
    #expect(builds.instants == kept.map(Self.moment))
  }

  @Test func dropsBuildsWhenTheContentChanges() async throws {
    let generations = Atomic(0)
    let rebuilder = Rebuilder(SmallContent.source()) {
      generations.store($0.generation, ordering: .relaxed)
    }
    let router = PreviewRouter(
      SmallContent.source(), rebuilder: rebuilder, hosts: HostPolicy())
    let target = try RequestTarget("/at/2030-01-01T00:00:00Z/preview/config.plist")
    let request = PreviewRequest(isHead: false, target: target)
    let response = await router.response(to: request, host: "localhost", localAddress: nil)
    #expect(response.status == .ok)
    #expect(router.instants.instants.count == 1)
    rebuilder.request(.anything)
    while generations.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(router.instants.instants.isEmpty)
    rebuilder.stop()
  }

  @Test func servesTheContentWithPseudoLocales() async throws {
    let source = SmallContent.source()
    let router = PreviewRouter(
      source, rebuilder: Rebuilder(source) { _ in }, hosts: HostPolicy())
    func config(_ base: String) async throws -> Value? {
      let target = try RequestTarget("/\(base)/preview/config.plist")
      let request = PreviewRequest(isHead: false, target: target)
      let response = await router.response(to: request, host: "localhost", localAddress: nil)
      guard response.status == .ok, case .bytes(let bytes) = response.body else { return nil }
      return try PropertyList.decode(bytes).value
    }
    let instant = "2030-01-01T00:00:00Z"
    let plain = try #require(try await config("at/\(instant)"))["locales"]?.members?.keys ?? []
    for base in ["pseudo/now", "pseudo/\(instant)"] {
      let locales = try #require(try await config(base))["locales"]?.members?.keys ?? []
      #expect(Set(locales) == Set(plain + ["en-XA", "ar-XB"]), "\(base)")
    }
    #expect(try await config("pseudo/then") == nil)
    #expect(try await config("pseudo") == nil)
  }

  @Test func reportsWhenToTryAgain() {
    let response = PreviewResponse.error(
      RequestError(.serviceUnavailable, message: "busy", retryAfter: 7))
    #expect(response.fields.contains { $0 == ("retry-after", "7") })
    #expect(!PreviewResponse.error(.notFound).fields.contains { $0.name == "retry-after" })
  }

  private static func second(of builds: InstantBuilds) -> Task<MemoryBuild, any Error> {
    Task { try await builds.build(at: moment(2)) }
  }

  private static func moment(_ number: Int) -> Instant {
    Instant(secondsSince1970: 1_700_000_000 + Int64(number))
  }

  /// Returns builds whose content is read after a call of `pause`.
  private static func builds(
    byteLimit: Int = InstantBuilds.byteLimit, pause: @escaping @Sendable () -> Void = {}
  ) -> InstantBuilds {
    let source = SmallContent.source(pause)
    return InstantBuilds(
      PreviewContent(source, rebuilder: Rebuilder(source) { _ in }), byteLimit: byteLimit)
  }
}
