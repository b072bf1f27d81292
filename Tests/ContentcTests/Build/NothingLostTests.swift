import SystemC
import Testing

@testable import TestCommands

/// After any end of a build, `out/` is the old build or the new one, and the next build removes
/// leftovers.
@Suite(.serialized) struct NothingLostTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(SmallShop.files(products: 60, in: "content-old"))
    for file in SmallShop.files(products: 59, adjective: "New", in: "content-new") {
      try sandbox.write(file.path, file.text)
    }
  }

  @Test func keepsTheEarlierOutputIfContentHasErrors() throws {
    try #require(try sandbox.run("build", "--quiet", "--content", "content-old").status == 0)
    try sandbox.shell(
      "cp -a out before; find out -exec stat -c '%n %i %Y %Z' {} + | sort > before.txt")
    try sandbox.write("content-new/entries/product/p1.yaml", "title: 1\nprice: none\n")
    #expect(try sandbox.run("build", "--quiet", "--content", "content-new").status == 1)
    let difference = try sandbox.shell("diff -r before out")
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test func leavesOneWholeBuildWhenKilled() throws {
    try expectOneWholeBuild(after: "kill", count: 50)
  }

  @Test func leavesOneWholeBuildWhenInterrupted() throws {
    try expectOneWholeBuild(after: "interrupt", count: 15)
  }

  @Test func keepsTheEarlierOutputWhenTheDiskIsFull() throws {
    let full = try sandbox.script("nothing-lost.py", "full", Sandbox.binary)
    if full.status == 77 {
      return print("skipped: mounting a small file system is not permitted here")
    }
    #expect(full.status == 0, "\(full.errors)")
    print(full.output.dropLast())
  }

  @Test func refusesASecondBuildInTheSameFolder() throws {
    for file in SmallShop.files(products: 400, in: "content") {
      try sandbox.write(file.path, file.text)
    }
    let first = try sandbox.start(Sandbox.binary, ["build", "--quiet"])
    while access("\(sandbox.root)/out/.contentc-staging", F_OK) != 0, kill(first, 0) == 0 {
      usleep(500)
    }
    // The first build must not end before the second begins.
    kill(first, SIGSTOP)
    let second = try sandbox.run("build", "--quiet")
    kill(first, SIGCONT)
    #expect(Sandbox.wait(for: first) == 0)
    #expect(second.status == 75, "\(second.errors)")
    #expect(try sandbox.script("nothing-lost.py", "whole", "out").status == 0)
  }

  @Test func leavesOneWholeBuildAfterConcurrentBuilds() throws {
    let processes = try (0..<6).map { number in
      try sandbox.start(
        Sandbox.binary,
        ["build", "--quiet", "--content", number % 2 == 0 ? "content-old" : "content-new"])
    }
    let statuses = processes.map(Sandbox.wait(for:))
    #expect(statuses.contains(0))
    #expect(statuses.allSatisfy { $0 == 0 || $0 == 75 }, "\(statuses)")
    #expect(try sandbox.script("nothing-lost.py", "whole", "out").status == 0)
  }

  private func expectOneWholeBuild(after way: String, count: Int) throws {
    let ended = try sandbox.script("nothing-lost.py", way, Sandbox.binary, "20", "\(count)")
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(
      ended.output.hasPrefix("\(count) ended builds: "),
      "too few builds could be ended: \(ended.output)")
    print("\(way): \(ended.output.dropLast())")
  }
}
