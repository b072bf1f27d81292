import ContentModel
import SystemC
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Targets at rclone remotes: local files, which behave like every other backend, and two servers.
@Suite(.needsServers) struct RcloneTests {
  let folder: String
  /// The path of rclone.
  let rclone: String
  /// The path of a script that runs rclone with the tests' configuration.
  let program: String

  init() throws {
    var template = Array("/tmp/rclone-test-XXXXXX".utf8CString)
    folder = try String(cString: #require(mkdtemp(&template)))
    rclone = Program.tool("rclone/bin/rclone")
    try #require(access(rclone, X_OK) == 0, "'make setup-servers' installs rclone")
    program = "\(folder)/rclone"
    try write("#!/bin/sh\nexec '\(rclone)' --config '\(folder)/rclone.conf' \"$@\"\n", to: program)
    chmod(program, 0o755)
    try configure("[disk]\ntype = local\n")
  }

  private func target(_ path: String = "t") throws -> RcloneTarget {
    try RcloneTarget("rclone:disk:\(folder)/\(path)", program: program)
  }

  private func configure(_ remotes: String) throws {
    try write(remotes, to: "\(folder)/rclone.conf")
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  @Test func conforms() throws { try TargetConformance(target: try target()).check() }

  @Test func publishesReleases() throws {
    let place = ChannelPlace(try target())
    try place.publish(Shelf(["rose": "Rose"]), run: "1")
    try place.publish(Shelf(["rose": "Rosa"]), run: "2")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
    #expect(try place.history().map(\.number) == [2, 1])
  }

  /// Some remotes keep no times, or no sizes of encrypted files.
  ///
  /// Such a file may have just been written.
  @Test func listsFilesOfUnknownAge() throws {
    let list =
      #"[{"Path":"a","Size":1,"ModTime":"2026-11-22T10:00:00.5+01:00"},{"Path":"b","Size":2},{"Path":"c"}]"#
    try write("#!/bin/sh\necho '\(list)'\n", to: program)
    let files = try target().list(below: "objects/")
    #expect(
      files.map(\.key) == ["objects/a", "objects/b", "objects/c"] && files.map(\.size) == [1, 2, 0])
    #expect(files[0].modified == Instant(rfc3339: "2026-11-22T09:00:00.5Z"))
    #expect(
      files[1].modified == ListedFile.unknownTime && files[2].modified == ListedFile.unknownTime)
    try write("#!/bin/sh\necho '[{}]'\n", to: program)
    #expect(throws: TargetError.self) { try target().list(below: "objects/") }
  }

  /// A folder vanishes while rclone lists its neighbours.
  @Test func doesNotTakeAPartOfAListForAnEmptyOne() throws {
    try write("#!/bin/sh\necho '['\necho '{\"Path\":\"a\",\"Size\":1}'\nexit 3\n", to: program)
    let error = #expect(throws: TargetError.self) { try target().list(below: "qa/") }
    #expect(error?.kind == .failed && error?.description.contains("run again") == true)
    try write("#!/bin/sh\nprintf '[\n]\n'\nexit 3\n", to: program)
    #expect(try target().list(below: "qa/").isEmpty)
  }

  @Test func storesLargeFiles() throws {
    let scratch = try ScratchFolder(inMemory: true)
    let sample = try SampleFile(in: scratch)
    let file = try sample.outgoing(compressed: try sample.compressed(in: scratch))
    let target = try target()
    #expect(try target.create("objects/aa/a", as: file) && target.holds("objects/aa/a", as: file))
    #expect(try target.read("objects/aa/a")?.bytes == sample.bytes)
    #expect(try target.read("objects/aa/a.gz")?.bytes == file.compressed?.bytes)
    SampleFile(bytes: sample.bytes, path: "\(folder)/t/objects/aa/a").apply(.changesAtItsEnd)
    #expect(try !target.holds("objects/aa/a", as: file))
    sample.apply(.shrinks)
    let error = #expect(throws: TargetError.self) { try target.create("b", as: file) }
    #expect(
      error?.kind == .unreadable && error?.description.contains("'\(sample.path)' changed") == true)
    #expect(try target.read("b") == nil)
  }

  @Test(arguments: ["webdav", "sftp"])
  func publishesReleasesToAServer(kind: String) throws {
    let port = try Socket.freePorts(1)[0]
    let root = "\(folder)/served"
    mkdir(root, 0o755)
    let open = kind == "sftp" ? ["--user", "shop", "--pass", "roses"] : []
    let server = try Program(
      rclone, ["serve", kind, root, "--addr", "127.0.0.1:\(port)", "--config", "/dev/null"] + open)
    defer { server.stop() }
    try Socket.waitForListener(on: port, seconds: 20)
    let place = ChannelPlace(try RcloneTarget("rclone:shop:v1", program: program))
    try configure(
      kind == "sftp"
        ? "[shop]\ntype = sftp\nhost = 127.0.0.1\nport = \(port)\nuser = shop\npass = \(try obscured("roses"))\n"
        : "[shop]\ntype = webdav\nurl = http://127.0.0.1:\(port)\n")
    try place.publish(Shelf(["rose": "Rose"]), run: "1")
    try place.publish(Shelf(["rose": "Rosa"]), run: "2")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
    #expect(try place.history().map(\.number) == [2, 1])
    try TargetConformance(target: place.target).check()
  }

  private func obscured(_ password: String) throws -> String {
    let result = try #require(try ChildProcess([rclone, "obscure", password]).run())
    return String(decoding: result.output, as: UTF8.self).filter { !$0.isNewline }
  }

  /// Each read starts a process.
  @Test func readsEightObjectsOfAReleaseAtOnce() throws {
    #expect(try target().readsAtOnce == 8)
  }

  @Test func reportsThatItIgnoresConditions() throws { #expect(try !target().honorsConditions()) }

  @Test(arguments: [
    ("rclone:", "rclone:REMOTE:PATH"), ("rclone:nothing", "rclone listremotes"),
    ("rclone:nosuch:path", "nosuch"),
  ])
  func reportsUnusableAddresses(address: String, sentence: String) {
    let error = #expect(throws: TargetError.self) {
      _ = try RcloneTarget(address, program: program).read("a")
    }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test func reportsAMissingRclone() throws {
    let target = try RcloneTarget("rclone:a:b", program: "no-such-rclone")
    let error = #expect(throws: TargetError.self) { _ = try target.read("a") }
    #expect(error?.kind == .unusable)
  }

  @Test(arguments: [
    "rclone::sftp,host=h,ssh=/tmp/x.sh:x", "rclone:--config=/etc/passwd:x", "rclone:-v:x",
    "rclone:disk,nounc=true:x",
    "rclone::local:/etc", "rclone:disk:a/../../b", "rclone:disk:a\nb", "rclone:di sk:a",
    "rclone:disk{x}:a",
    "rclone:/etc/passwd:x", "rclone::webdav,url='http://127.0.0.1:1',user=u,pass=hunter2:x",
    "rclone:é:x",
  ])
  func acceptsOnlyNamesOfConfiguredRemotes(address: String) {
    let error = #expect(throws: TargetError.self) {
      _ = try RcloneTarget(address, program: program)
    }
    #expect(error?.kind == .unusable)
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func doesNotPassFileNamesAsFlags() throws {
    let said = "\(folder)/said"
    try write("#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(said)'\nexit 4\n", to: program)
    _ = try RcloneTarget("rclone:disk:-x", program: program).read("-y")
    let arguments = try String(decoding: ScratchFolder.read(said), as: UTF8.self).split(
      separator: "\n")
    #expect(arguments.suffix(2) == ["--", "disk:-x/-y"])
  }
}
