import SystemC
import TestInputs
import Testing

@testable import TestCommands

@Suite("Same content, same bytes")
struct DeterminismTests {
  @Test func ignoresFoldersFileOrderAndFileAge() throws {
    let first = try Sandbox(WorkedExample.building)
    let second = try Sandbox()
    for file in WorkedExample.building.reversed() {
      try second.write("deeply/nested/\(file.path)", file.text)
      var times = [timeval(tv_sec: 86_400, tv_usec: 0), timeval(tv_sec: 86_400, tv_usec: 0)]
      utimes("\(second.root)/deeply/nested/\(file.path)", &times)
    }
    try #require(try first.run("build", "--at", "2026-12-01T00:00:00Z").status == 0)
    let script = "cd deeply/nested && \"$0\" build --at 2026-12-01T00:00:00Z --out ../../elsewhere"
    try #require(
      try second.run("/bin/sh", ["-c", script, Sandbox.binary], environment: ["TZ=Asia/Tokyo"])
        .status == 0)

    let expected = first.tree("out")
    let found = second.tree("elsewhere").map {
      (path: "out" + $0.path.dropFirst("elsewhere".count), bytes: $0.bytes)
    }
    #expect(expected.count > 20)
    #expect(found.map(\.path) == expected.map(\.path))
    for (a, b) in zip(expected, found) { #expect(a.bytes == b.bytes, "\(a.path)") }
    #expect(first.folders("out").count == second.folders("elsewhere").count)
  }

  @Test func buildsTheSampleEquallyUnderAnotherPath() throws {
    let (first, second) = (try Sandbox(), try Sandbox())
    try first.copySample(to: "content", format: "binary")
    try #require(try first.run("build", "--quiet", "--at", "2026-12-01T00:00:00Z").status == 0)
    // The copy's files have another order and age, and a path with detours names them.
    let copied = try second.shell(
      """
      mkdir -p a/b && cd '\(first.root)' && find content -type f | sort -r | while read -r file; do \
      mkdir -p "\(second.root)/a/b/$(dirname "$file")" && cp "$file" "\(second.root)/a/b/$file" && \
      touch -t 200001010000 "\(second.root)/a/b/$file"; done
      """)
    try #require(copied.status == 0, "\(copied.errors)")
    let build =
      "\"$0\" build --quiet --at 2026-12-01T09:00:00+09:00 --content \(second.root)//a/../a/b/./content/ --out x/out/"
    let environment = ["TZ=Asia/Tokyo", "LC_ALL=tr_TR.UTF-8", "HOME=/nowhere"]
    let built = try second.run("/bin/sh", ["-c", build, Sandbox.binary], environment: environment)
    try #require(built.status == 0, "\(built.errors)")
    let difference = try second.shell("diff -r '\(first.root)/out' x/out")
    #expect(difference.status == 0, "\(difference.output)")
    #expect(try second.shell("diff -r '\(first.root)/content' a/b/content").status == 0)
  }

  @Test func buildsTheSameOverAnotherBuild() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build", "--out", "fresh").status == 0)
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\nprice: 3\n")
    try #require(try sandbox.run("build", "--out", "used!").status == 0)
    unlink("\(sandbox.root)/content/entries/product/rose.yaml")
    try #require(try sandbox.run("build", "--out", "used!").status == 0)
    let (fresh, used) = (sandbox.tree("fresh"), sandbox.tree("used!"))
    #expect(used.map { $0.path.dropFirst(5) } == fresh.map { $0.path.dropFirst(5) })
    #expect(used.map(\.bytes) == fresh.map(\.bytes))
    #expect(sandbox.folders("used!").count == sandbox.folders("fresh").count)
  }
}
