import SystemC
import Testing

@testable import TestCommands

/// Damage to `out/` between two builds.
@Suite struct NothingLostDamageTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(SmallShop.files(products: 8, in: "content"))
    try #require(try sandbox.run("build", "--quiet").status == 0)
    try sandbox.shell("cp -a out whole")
  }

  @Test(
    "repairs damaged files and removes foreign ones",
    arguments: [
      "printf X | dd of=$object bs=1 seek=20 conv=notrunc", ": > $object", "rm $object",
      "rm $object.gz",
      "printf X | dd of=$object.gz bs=1 seek=20 conv=notrunc",
      "rm $object && ln -s /etc/passwd $object",
      "rm $object && mkfifo $object", "rm $object && cp $other $object", "chmod 000 $object",
      "rm -r out/objects",
      "echo damaged > out/preview/latest/fr/phone/all.plist", "rm -r out/preview/latest",
      "rm out/build.plist",
      "echo damaged > out/build.plist", "rm out/preview/config.plist",
      "echo damaged > out/preview/config.plist",
      "rm out/preview/config.plist && mkfifo out/preview/config.plist", "rm -r out/maintenance",
      "rm -r out/*",
      "mkdir -p out/objects/zz out/deep/er && touch out/objects/zz/stray out/deep/er/file out/été",
      "ln -s /etc out/preview/latest/link", "ln -s nowhere out/dangling", "mkfifo out/objects/pipe",
      "touch out/objects/00 'out/a\nb' out/preview/.config.plist.4711.tmp",
      "touch out/.contentc-staging",
      "mkdir -p out/.contentc-staging/1/2 && touch out/.contentc-staging/1/2/3",
      "ln -s /etc out/.contentc-staging",
    ])
  func repairsDamagedOutput(damage: String) throws {
    let damaged = try sandbox.shell(
      """
      set -- $(find out/objects -name '*.plist' -size +0 | sort) && object=$1 other=$2 && test -e $object.gz && { \(damage)
      }
      """)
    try #require(damaged.status == 0, "\(damaged.errors)")
    #expect(try sandbox.shell("diff -r out whole").status != 0 || damage.hasPrefix("chmod"))
    let built = try sandbox.run("build", "--quiet")
    #expect(built.status == 0, "\(built.errors)")
    let difference = try sandbox.shell("diff -r out whole")
    #expect(difference.status == 0, "\(difference.output)")
    #expect(try sandbox.script("nothing-lost.py", "whole", "out").status == 0)
    #expect(try sandbox.shell("test -f /etc/passwd && ls /etc | wc -l").status == 0)
  }

  @Test(
    "refuses and keeps files that are not its own",
    arguments: [
      ("rm -r out && echo mine > out", "out", "a file has the name of a folder"),
      (
        "rm -r out && mkdir out && echo mine > out/thesis.tex", "out",
        "'out' holds files that contentc did not write"
      ),
      ("rm -r out && mkdir -p out/.git/objects", "out", "such as '.git'"),
      ("true", "content", "--out must not be in the content folder"),
      ("true", ".", "'.' holds files that contentc did not write, such as 'content'"),
      (
        "rm -r out/objects && ln -s ../content out/objects", "out",
        "is a symbolic link, and a folder belongs there"
      ),
      (
        "rm -r out/objects && echo mine > out/objects", "out",
        "a file has the name of a folder"
      ),
      (
        "rm out/preview/config.plist && mkdir out/preview/config.plist", "out",
        "is a folder, and a file belongs there"
      ),
      (
        "rm out/build.plist && mkdir out/build.plist", "out",
        "is a folder, and a file belongs there"
      ),
    ])
  func refusesForeignFiles(preparation: String, folder: String, sentence: String) throws {
    try #require(
      try sandbox.shell("{ \(preparation); } && cp -a \(folder) ../before.$(basename $PWD)").status
        == 0)
    defer { _ = try? sandbox.shell("rm -r ../before.$(basename $PWD)") }
    let built = try sandbox.run("build", "--quiet", "--out", folder)
    #expect(built.status == 74)
    #expect(built.errors.contains(sentence), "\(built.errors)")
    let difference = try sandbox.shell(
      "diff -r --no-dereference \(folder) ../before.$(basename $PWD)")
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test func refusesAReadOnlyFolder() throws {
    guard try sandbox.shell("mount --bind out out && mount -o remount,bind,ro out").status == 0
    else {
      return print("skipped: mounting a folder read-only is not permitted here")
    }
    defer { _ = try? sandbox.shell("umount out") }
    // A no-op build writes nothing.
    #expect(try sandbox.run("build", "--quiet").status == 0)
    let built = try sandbox.run("build", "--quiet", "--fresh")
    #expect(built.status == 74)
    #expect(
      built.errors.contains("the file system is read-only; choose a folder that can be written to"))
    #expect(try sandbox.shell("diff -r out whole").status == 0)
  }
}
