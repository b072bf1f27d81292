import ContentModel
import TestServers
import Testing

@testable import ContentDelivery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A remote of rclone: its local files, which every other backend behaves like.
@Suite struct RcloneTests {
  let folder: String
  let program: String

  init() throws {
    var template = Array("/tmp/rclone-test-XXXXXX".utf8CString)
    folder = try String(cString: #require(mkdtemp(&template)))
    program = "\(#filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined())/.build/tools/rclone/bin/rclone"
    try #require(access(program, X_OK) == 0, "run 'make test' once: it installs rclone")
  }

  private func target(_ path: String = "t") throws -> RcloneTarget {
    try RcloneTarget("rclone::local:\(folder)/\(path)", program: program)
  }

  @Test func conforms() throws { try TargetConformance(target: try target()).check() }

  @Test func carriesReleases() throws {
    let place = ChannelPlace(try target())
    try place.publish(Shelf(["rose": "Rose"]), run: "1")
    try place.publish(Shelf(["rose": "Rosa"]), run: "2")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
    #expect(try place.history().map(\.number) == [2, 1])
  }

  @Test func carriesLargeFiles() throws {
    let scratch = try ScratchFolder(inMemory: true)
    let sample = try SampleFile(in: scratch)
    let file = try sample.outgoing(compressed: try sample.compressed(in: scratch))
    let target = try target()
    #expect(try target.create("objects/aa/a", file) && target.holds("objects/aa/a", file))
    #expect(try target.read("objects/aa/a")?.bytes == sample.bytes)
    #expect(try target.read("objects/aa/a.gz")?.bytes == file.compressed?.bytes)
    SampleFile(bytes: sample.bytes, path: "\(folder)/t/objects/aa/a").apply(.changesAtItsEnd)
    #expect(try !target.holds("objects/aa/a", file))
    sample.apply(.shrinks)
    let error = #expect(throws: TargetError.self) { try target.create("b", file) }
    #expect(error?.kind == .unreadable && error?.description.contains("'\(sample.path)' changed") == true)
    #expect(try target.read("b") == nil)
  }

  @Test(arguments: ["webdav", "sftp"])
  func carriesReleasesToAServer(kind: String) throws {
    let port = try Socket.freePorts(1)[0]
    let root = "\(folder)/served"
    mkdir(root, 0o755)
    let open = kind == "sftp" ? ["--user", "shop", "--pass", "roses"] : []
    let server = try Program(
      program, ["serve", kind, root, "--addr", "127.0.0.1:\(port)", "--config", "/dev/null"] + open)
    defer { server.stop() }
    try Socket.waitForListener(on: port, seconds: 20)
    let remote =
      kind == "sftp"
      // rclone wants passwords obscured; this is 'roses'.
      ? ":sftp,host=127.0.0.1,port=\(port),user=shop,pass=\(try obscured("roses")):v1"
      : ":webdav,url='http://127.0.0.1:\(port)':v1"
    let place = ChannelPlace(try RcloneTarget("rclone:\(remote)", program: program))
    try place.publish(Shelf(["rose": "Rose"]), run: "1")
    try place.publish(Shelf(["rose": "Rosa"]), run: "2")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
    #expect(try place.history().map(\.number) == [2, 1])
    try TargetConformance(target: place.target).check()
  }

  private func obscured(_ password: String) throws -> String {
    let result = try ChildProcess(arguments: [program, "obscure", password]).run()
    return String(decoding: result.output, as: UTF8.self).filter { !$0.isNewline }
  }

  @Test func saysThatItHeedsNoConditions() throws { #expect(try !target().holdsConditions()) }

  @Test(arguments: [
    ("rclone:", "names no remote"), ("rclone:nothing", "names no remote"), ("rclone:nosuch:path", "nosuch"),
  ])
  func saysWhatIsWrong(address: String, sentence: String) {
    let error = #expect(throws: TargetError.self) {
      _ = try RcloneTarget(address, program: program).read("a")
    }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test func saysThatThereIsNoRclone() throws {
    let target = try RcloneTarget("rclone:a:b", program: "no-such-rclone")
    let error = #expect(throws: TargetError.self) { _ = try target.read("a") }
    #expect(error?.kind == .unusable)
  }

  @Test func showsNoPassword() throws {
    let target = try RcloneTarget("rclone::webdav,url='http://127.0.0.1:1',user=u,pass=hunter2:x", program: program)
    #expect(!target.name.contains("hunter2"))
    let error = #expect(throws: TargetError.self) { _ = try target.read("a") }
    #expect(error?.description.contains("hunter2") == false)
  }
}
