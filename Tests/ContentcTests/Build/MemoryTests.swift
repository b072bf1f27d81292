import ContentBuild
import ContentModel
import PropertyLists
import System
import TestInputs
import Testing

@testable import TestCommands

/// A build that continues from the last one reports and writes the same as one without memory.
@Suite struct MemoryTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try #require(try sandbox.run("build", "--quiet").status == 0)
  }

  @Test(arguments: [1, 2])
  func buildsTheSameAfterAnyEdits(seed: UInt64) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var undo: [String] = []
    for _ in 0..<8 {
      // Some steps make several edits at once. The next step reverts mistakes.
      for _ in 0..<(random.below(4) == 0 ? 3 : 1) {
        let (edit, back) = EditingShop.edits[random.below(EditingShop.edits.count)]
        if undo.contains(back) { continue }
        try shell("cd content && \(edit)")
        undo.append(back)
      }
      try expectSame("\(undo)")
      guard random.below(2) == 0 else { continue }
      while let back = undo.popLast() { try shell("cd content && \(back)") }
    }
    while let back = undo.popLast() { try shell("cd content && \(back)") }
    try expectSame("all taken back")
  }

  @Test(
    "ignores a cache that is damaged, swapped or unreachable",
    arguments: [
      "for f in $memory $state; do printf X | dd of=$f bs=1 seek=40 conv=notrunc; done",
      "printf X >> $memory",
      "printf X | dd of=$memory bs=1 seek=$(($(stat -c %s $memory) - 9)) conv=notrunc",
      ": > $memory", ": > $state",
      "printf X | dd of=$state bs=1 seek=$(($(stat -c %s $state) / 2)) conv=notrunc", "rm $state",
      "rm $memory",
      "head -c 100 $memory > m && mv m $memory", "head -c 100 $state > m && mv m $state",
      "cp $state $memory",
      "cp $memory $state", "rm $memory && mkdir $memory", "rm $state && mkdir $state",
      "rm -r .contentc",
      "rm -r .contentc && echo mine > .contentc",
      "cp -a content other && $contentc build -q --content other --out o && "
        + "cp $(ls .contentc/*.memory | grep -v $memory) $memory && cp $(ls .contentc/*.state | grep -v $state) $state",
    ])
  func ignoresADamagedCache(damage: String) throws {
    let names =
      "memory=$(ls .contentc/*.memory) && state=$(ls .contentc/*.state) && contentc='\(Sandbox.binary)'"
    try shell("\(names) && { \(damage); }")
    try shell("sed -i s/Rose/Rosa/ content/entries/product/rose.yaml")
    try expectSame(damage)
  }

  @Test(
    "repairs the output when content is edited as well",
    arguments: [
      "printf X | dd of=$object bs=1 seek=20 conv=notrunc", ": > $object", "rm $object",
      "rm $object.gz",
      "touch $object",
      "rm $object && ln -s nowhere $object", "rm out/preview/config.plist",
      "mkdir out/objects/zz && touch out/objects/zz/stray",
      "rm -r out", "rm -r out/maintenance", "mkdir -p out/.contentc-staging/1",
      "echo mine > out/README.md",
      "rm -r out/preview/latest/fr", "cp -a out o && rm -r out && mv o out",
    ])
  func repairsDamagedOutputAfterAnEdit(damage: String) throws {
    let picked = "object=$(ls out/objects/*/*.plist | head -1) && gzip -k $object 2>/dev/null"
    try shell("\(picked); \(damage)")
    try shell("sed -i s/Hello/Hi/ content/strings/app.en.yaml")
    try expectSame(damage)
  }

  @Test func changesAtTheInstantsInTheContent() throws {
    for (instant, isOther) in [
      ("2029-12-31T23:59:59Z", false), ("2030-01-01T00:00:00Z", true),
      ("2029-12-31T23:59:59Z", true),
      ("2030-12-31T23:59:59Z", true), ("2031-01-01T00:00:00Z", true),
      ("2032-01-01T00:00:00Z", false),
    ] {
      let before = sandbox.read("out/preview/config.plist")
      try expectSame(instant, "--at", instant)
      #expect((sandbox.read("out/preview/config.plist") != before) == isOther, "\(instant)")
      try shell("sed -i 's/price: 5/price: 55/' content/entries/product.yaml")
      try expectSame(instant, "--at", instant)
      try shell("sed -i 's/price: 55/price: 5/' content/entries/product.yaml")
      try #require(try sandbox.run("build", "--quiet", "--at", instant).status == 0)
    }
  }

  @Test func noticesAnEditThatKeepsSizeAndTime() throws {
    try shell("sleep 2.2")
    try expectSame("settled")
    try shell(
      "touch -r content/entries/product.yaml age && sed -i s/Tulip/Tulpe/ content/entries/product.yaml "
        + "&& touch -r age content/entries/product.yaml")
    try expectSame("same size and time")
    try shell(
      "cd content && rm assets/rose.bin && mkdir assets/rose.bin && mv assets/rose.bin ../rose.bin")
    try expectSame("an asset gone")
  }

  @Test func noticesAnEditOfAHardLinkedFile() throws {
    try shell(
      "ln content/entries/product/rose.fr.yaml content/entries/product/tulip.fr.yaml; sleep 2.2")
    try expectSame("two names")
    try shell("echo 'title: Deux' > content/entries/product/rose.fr.yaml")
    try expectSame("an edit in place")
    #expect(try sandbox.shell("grep -rlaq Deux out/objects").status == 0)
  }

  @Test func usesItsCacheWithoutChangesAndAfterTextEdits() throws {
    try falsifyMemories(entries: 999)
    #expect(try entries() == 999)
    try shell("sed -i s/Rose/Rosa/ content/entries/product/rose.yaml")
    #expect(try entries() == 999)
    try shell("echo 'when: {country: FR}' >> content/entries/product/rose.yaml")
    #expect(try entries() == 6)
  }

  @Test func repeatsWarningsWithoutChangesAndAfterTextEdits() throws {
    try shell("echo stray > content/stray.txt; sleep 2.2")
    for _ in 0..<2 { try expectSame("a warning") }
    try falsifyMemories(entries: 999)
    let reported = try sandbox.run("build")
    let warning = try sandbox.run("build", "--fresh", "--out", "clean").errors
    #expect(reported.errors == warning)
    #expect(try sandbox.run("build", "--warnings-as-errors").status == 1)
    try shell("sed -i s/Rose/Rosa/ content/entries/product/rose.yaml")
    #expect(try sandbox.run("build").errors == warning)
    #expect(try entries() == 999)
  }

  @Test func buildsTheSameOnOneProcessor() throws {
    try shell("sed -i s/Rose/Rosa/ content/entries/product/rose.yaml")
    guard try sandbox.shell("taskset -c 0 true").status == 0 else {
      return print("skipped: no taskset here")
    }
    try shell("taskset -c 0 '\(Sandbox.binary)' build -q")
    try expectSame("one processor")
  }

  @Test func buildsTheLastOfEditsThatOverlapBuilds() throws {
    try shell(
      """
      (for n in $(seq 60); do sed -i "s/^title: .*/title: Rose $n/" content/entries/product/rose.yaml
        sed -i "s/lily: {title: [^,]*,/lily: {title: Lily $n,/" content/entries/product.yaml; sleep 0.02; done) &
      for n in 1 2 3 4 5 6 7 8 9 10 11 12; do '\(Sandbox.binary)' build -q; done 2>/dev/null; wait
      """)
    try expectSame("after the last edit")
    let rose = try PublishedFolder(sandbox).bundle("each/rose", "de", "any")["entries"][
      "product/rose"]
    #expect(rose["content"]["title"] == "Rose 60")
  }

  // MARK: Comparison

  /// Builds with memory, and without it into another folder, and expects equal results.
  ///
  /// Status, messages, counts and files must be equal.
  private func expectSame(_ situation: String, _ flags: String...) throws {
    try sandbox.shell("rm -rf before clean; cp -a out before")
    let built = try sandbox.run(Sandbox.binary, ["build", "--json"] + flags)
    let clean = try sandbox.run(
      Sandbox.binary, ["build", "--json", "--fresh", "--out", "clean"] + flags)
    #expect(built.status == clean.status, "\(situation): \(built.errors)")
    #expect(built.errors == clean.errors, "\(situation)")
    #expect(try counts(built) == counts(clean), "\(situation)")
    if clean.status == 0 { try sandbox.shell("test -e out/README.md && cp out/README.md clean") }
    let expected = clean.status == 0 ? "clean" : "before"
    let difference = try sandbox.shell(
      "{ test -e out || ! test -e \(expected); } && diff -rq \(expected) out")
    #expect(difference.status == 0, "\(situation): \(difference.output)")
  }

  private func counts(_ outcome: Outcome) throws -> Members {
    let value = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
    guard case .dictionary(var members) = value else { return Members() }
    for kind in ["objects", "files"] {
      if case .integer(let written)? = members["\(kind)Written"],
        case .integer(let kept)? = members["\(kind)Kept"]
      {
        members["\(kind)InAll"] = .integer(written + kept)
      }
      (members["\(kind)Written"], members["\(kind)Kept"]) = (nil, nil)
    }
    for key in ["seconds", "bytesWritten", "straysRemoved", "config"] { members[key] = nil }
    return members
  }

  private func shell(_ line: String) throws {
    let outcome = try sandbox.shell(line)
    try #require(outcome.status == 0, "\(line): \(outcome.errors)")
  }

  private func entries() throws -> Int64? {
    let value = try PropertyList.decode(
      Array(try sandbox.run("build", "--json").output.utf8), as: .json
    ).value
    guard case .integer(let count)? = value["entries"] else { return nil }
    return count
  }

  /// Makes each memory, otherwise intact, claim a wrong number of entries.
  private func falsifyMemories(entries: Int64) throws {
    for path in sandbox.tree(".contentc").map(\.path) where path.hasSuffix(".memory") {
      var memory = try #require(sandbox.read(path).flatMap(BuildMemory.init))
      guard case .dictionary(var notes) = try PropertyList.decode(memory.notes, as: .binary).value,
        case .dictionary(var facts)? = notes["facts"],
        case .dictionary(var members)? = facts["members"]
      else { throw Sandbox.Problem(message: "no notes") }
      members["entries"] = .integer(entries)
      facts["members"] = .dictionary(members)
      notes["facts"] = .dictionary(facts)
      memory.notes = try PropertyList.encode(.dictionary(notes), as: .binary)
      try AtomicFile("\(sandbox.root)/\(path)").write(memory.encoded(), durably: false)
    }
  }
}
