import ContentModel
import TestInputs
import Testing

@testable import TestCommands

/// `contentc translations` for people and for programs.
@Suite("contentc translations") struct TranslationCommandTests {
  private func sandbox() throws -> Sandbox {
    try Sandbox([
      (
        "content/content.yaml",
        "app: shop\nsourceLocale: en\nlocales: [en, fr]\nbundles: {all: {include: product/*}}\n"
      ),
      (
        "content/datatypes/product.yaml",
        """
        fields:
          title: {type: string, localized: true, maxLength: 12, description: On the label}
          care: {type: markdown, localized: true}

        """
      ),
      (
        "content/entries/product/rose.yaml",
        "title: Red rose\ncare: See [the lily](product/lily).\n"
      ),
      ("content/entries/product/lily.yaml", "title: Lily\n"),
      ("content/entries/product/rose.fr.yaml", "title: \"Rose rouge\"  # classique\n"),
    ])
  }

  private func export(_ sandbox: Sandbox, _ format: String = "xliff") throws -> String {
    let run = try sandbox.run("translations", "export", "--locale", "fr", "--to", format)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func exportsAndImportsTranslations() throws {
    let sandbox = try sandbox()
    let file = try export(sandbox)
    #expect(file.contains("<note>On the label</note>"))
    try sandbox.write("fr.xliff", file.replacing("Rose rouge", with: "Rose pourpre"))
    let dry = try sandbox.run("translations", "import", "fr.xliff", "--dry-run")
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(
      dry.output.hasPrefix(
        """
        Would import fr.xliff: 1 text changed, 0 unchanged, 2 without a translation
        --- content/entries/product/rose.fr.yaml
        +++ content/entries/product/rose.fr.yaml
        @@ -1,1 +1,1 @@
        -title: "Rose rouge"  # classique
        +title: "Rose pourpre"  # classique
        --- /dev/null
        +++ content/translations.lock
        @@ -0,0 +1,1 @@
        +product/rose#title\tfr\t
        """), "\(dry.output)")
    #expect(sandbox.read("content/translations.lock") == nil)

    let done = try sandbox.run("translations", "import", "fr.xliff")
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.output == """
        Imported fr.xliff: 1 text changed, 0 unchanged, 2 without a translation
          content/entries/product/rose.fr.yaml
          content/translations.lock

        """)
    #expect(
      sandbox.read("content/entries/product/rose.fr.yaml")
        == Array("title: \"Rose pourpre\"  # classique\n".utf8))
    #expect(try sandbox.run("check", "--warnings-as-errors").status == 0)
  }

  /// Windows' editors write CRLF, and the lock has tabs.
  @Test func showsChangesThatGitCanApply() throws {
    let sandbox = try sandbox()
    try sandbox.write("content/entries/product/rose.fr.yaml", "title: Rose rouge\r\n# x\r\n")
    try sandbox.write("fr.csv", "id,source (en),target (fr)\nproduct/rose#title,Red rose,Rose\n")
    let dry = try sandbox.run("translations", "import", "fr.csv", "--dry-run")
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(
      dry.output.contains(
        """
        @@ -1,2 +1,2 @@
        -title: Rose rouge\u{FFFD}
        +title: Rose\u{FFFD}
         # x\u{FFFD}

        """), "\(dry.output)")
    let json = try sandbox.succeed(["translations", "import", "fr.csv", "--dry-run", "--json"])
    try sandbox.write("changes.diff", try #require(json?["diff"]?.text))
    let applied = try sandbox.shell("git apply -p0 changes.diff")
    #expect(applied.status == 0, "\(applied.errors)")
    let changed = sandbox.tree("content").map(\.bytes)
    #expect(try sandbox.run("translations", "import", "fr.csv").status == 0)
    #expect(sandbox.tree("content").map(\.bytes) == changed)
  }

  /// As with all commands, what `--dry-run` would change is the result, and no summary.
  @Test func printsTheChangesOfADryRunThoughQuiet() throws {
    let sandbox = try sandbox()
    try sandbox.write("fr.csv", "id,source (en),target (fr)\nproduct/rose#title,Red rose,Rose\n")
    for command in [["lock"], ["import", "fr.csv"]] {
      let dry = ["translations"] + command + ["--dry-run"]
      let shown = try sandbox.run(Sandbox.binary, dry)
      let quiet = try sandbox.run(Sandbox.binary, dry + ["--quiet"])
      #expect(quiet.status == 0 && quiet.output == shown.output, "\(quiet.output)")
      #expect(quiet.output.hasSuffix("Nothing was changed: --dry-run\n"), "\(quiet.output)")
      let done = try sandbox.run(Sandbox.binary, ["translations"] + command + ["--quiet"])
      #expect(done.status == 0 && done.output == "", "\(done.output)")
    }
  }

  @Test func importsSeveralFiles() throws {
    let sandbox = try sandbox()
    let rose = "id,source (en),target (fr)\nproduct/rose#title,Red rose,"
    let lily = "id,source (en),target (fr)\nproduct/lily#title,Lily,"
    try sandbox.write("rose.csv", rose + "Rose pourpre\n")
    // Which of two translations is right is unknown.
    try sandbox.write("other.csv", rose + "Rose\n")
    let refused = try sandbox.run("translations", "import", "rose.csv", "other.csv")
    #expect(refused.status == 1)
    let message = "only one file may translate 'product/rose#title' into 'fr'"
    #expect(refused.errors.contains(message), "\(refused.errors)")
    #expect(refused.errors.contains("other.csv:2:"), "\(refused.errors)")
    #expect(refused.errors.contains("no file was changed"), "\(refused.errors)")
    #expect(
      sandbox.read("content/entries/product/rose.fr.yaml")
        == Array("title: \"Rose rouge\"  # classique\n".utf8))
    try sandbox.write("other.csv", lily + "Lis\n")
    let done = try sandbox.run("translations", "import", "rose.csv", "other.csv")
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.output == """
        Imported rose.csv, other.csv: 2 texts changed, 0 unchanged
          content/entries/product/lily.fr.yaml
          content/entries/product/rose.fr.yaml
          content/translations.lock

        """)
  }

  /// A translation with a mistake takes no other translation away, whatever the mistake is.
  @Test func leavesOutTranslationsWithMistakes() throws {
    let sandbox = try sandbox()
    let lily = "id,source (en),target (fr)\nproduct/lily#title,Lily,"
    let rose = "id,source (en),target (fr)\nproduct/rose#title,Red rose,"
    try sandbox.write("long.csv", lily + "Un lis beaucoup trop long\n")
    try sandbox.write("none.csv", "id;text\n")
    try sandbox.write("rose.csv", rose + "Rose pourpre\nproduct/rose#care,x,\"y\n")
    let dry = try sandbox.run(
      "translations", "import", "long.csv", "none.csv", "rose.csv", "--dry-run")
    #expect(dry.status == 1)
    #expect(dry.output.contains("+title: \"Rose pourpre\""), "\(dry.output)")
    let partial = try sandbox.run("translations", "import", "long.csv", "none.csv", "rose.csv")
    #expect(partial.status == 1)
    #expect(
      partial.output == """
        Imported long.csv, none.csv, rose.csv: 1 text changed, 0 unchanged, 2 refused
          content/entries/product/rose.fr.yaml
          content/translations.lock

        """)
    for part in [
      "long.csv:2:", "the text is 'product/lily#title'", "none.csv:1:1", "rose.csv:3:",
      "the text is 'product/rose#care'",
    ] {
      #expect(partial.errors.contains(part), "\(part): \(partial.errors)")
    }
    #expect(!partial.errors.contains("no file was changed"))
    #expect(
      sandbox.read("content/entries/product/rose.fr.yaml")
        == Array("title: \"Rose pourpre\"  # classique\n".utf8))
    let json = try sandbox.run("translations", "import", "long.csv", "--json")
    #expect(json.status == 1 && json.output.contains("\"refused\":1"), "\(json.output)")
  }

  @Test func stopsAtAWarningThatAFlagRaises() throws {
    let sandbox = try sandbox()
    let before = sandbox.tree("content").map(\.bytes)
    try sandbox.write(
      "fr.csv", "id,source (en),target (fr)\nproduct/lily#title,Lily,Lis\nproduct/rosa#title,x,y\n")
    let stopped = try sandbox.run(
      "translations", "import", "fr.csv", "--skip-unknown", "--error-on", "translation-unknown")
    #expect(stopped.status == 1)
    #expect(stopped.errors.contains("no file was changed"), "\(stopped.errors)")
    #expect(sandbox.tree("content").map(\.bytes) == before)
  }

  @Test func countsTextsThatEqualTheirSources() throws {
    let sandbox = try sandbox()
    let file = try export(sandbox).replacing(
      "<source>Lily</source>", with: "<source>Lily</source><target>Lily</target>")
    try sandbox.write("fr.xliff", file)
    let dry = try sandbox.run("translations", "import", "fr.xliff", "--dry-run")
    #expect(dry.status == 0)
    #expect(
      dry.output.hasPrefix(
        "Would import fr.xliff: 1 text changed, 1 unchanged, 1 without a translation, "
          + "1 equal to its source\n"), "\(dry.output)")
    #expect(dry.errors.contains("--equal-as missing"), "\(dry.errors)")
    let none = try sandbox.run("translations", "import", "fr.xliff", "--equal-as", "missing")
    #expect(none.status == 0 && none.errors == "")
    #expect(none.output.contains("0 texts changed, 1 unchanged, 2 without a translation"))
    let all = try sandbox.run(
      "translations", "import", "fr.xliff", "--equal-as", "translated", "--json")
    #expect(all.output.contains("\"equal\":1") && all.errors == "", "\(all.output)")
    #expect(sandbox.read("content/entries/product/lily.fr.yaml") == Array("title: Lily\n".utf8))
    #expect(try sandbox.run("translations", "import", "fr.xliff", "--equal-as", "x").status == 64)
  }

  @Test func gatesOutdatedTranslations() throws {
    let sandbox = try sandbox()
    // Without a record of source texts, the gate cannot pass.
    let unlocked = try sandbox.run("coverage", "--fail-on", "outdated")
    #expect(unlocked.status == 2)
    #expect(unlocked.errors.contains("without translations.lock"), "\(unlocked.errors)")
    #expect(unlocked.output.contains("Outdated translations are unknown"), "\(unlocked.output)")
    #expect(try sandbox.run("coverage").status == 0)
    let lock = try sandbox.run("translations", "lock")
    #expect(lock.output == "1 translation: 1 added, 0 taken over, 0 removed\n")
    #expect(try sandbox.run("coverage", "--fail-on", "outdated").errors == "")
    try sandbox.write("content/entries/product/rose.yaml", "title: Crimson rose\n")
    let gate = try sandbox.run("coverage", "--fail-on", "outdated")
    #expect(gate.status == 2)
    #expect(
      gate.errors.hasPrefix("error: 'fr' has 1 outdated translation [outdated]\n"),
      "\(gate.errors)")
    #expect(
      try sandbox.run("coverage").output.hasSuffix(
        "\nOutdated, since their source texts have changed: 1 in fr\n"))
    #expect(
      try sandbox.run("coverage", "--locale", "fr").output.contains(
        "title  outdated at content/entries/product/rose.fr.yaml:1:8"))
    #expect(try export(sandbox).contains("<target state=\"needs-review-translation\">Rose rouge"))
    let same = try sandbox.run("translations", "lock")
    #expect(
      same.output == "1 translation: 0 added, 0 taken over, 0 removed, 1 still outdated\n")
    let accepted = try sandbox.run("translations", "lock", "--accept", "product/*", "--json")
    #expect(accepted.output.contains("\"accepted\":1"), "\(accepted.output)")
    #expect(try sandbox.run("coverage", "--fail-on", "outdated").status == 0)
  }

  @Test func refusesMistakesAndChangesNothing() throws {
    let sandbox = try sandbox()
    let file = try export(sandbox, "csv")
    let before = sandbox.tree("content").map(\.bytes)
    // A link that only the whole compilation resolves, and a title that is too long.
    try sandbox.write(
      "fr.csv",
      file.replacing("\"\",\"new\",\"\",\"\"", with: "\"[x](product/lilie)\",\"\",\"\",\"\"")
        .replacing("Rose rouge", with: "Une rose très rouge"))
    let refused = try sandbox.run("translations", "import", "fr.csv", "--diagnostics", "short")
    #expect(refused.status == 1)
    let lines = refused.errors.split(separator: "\n").map { String($0) }
    #expect(
      lines.contains { $0.hasPrefix("fr.csv:") && $0.hasSuffix("[broken-reference]") },
      "\(refused.errors)")
    #expect(
      lines.contains { $0.hasPrefix("fr.csv:") && $0.hasSuffix("[out-of-range]") },
      "\(refused.errors)")
    #expect(sandbox.tree("content").map(\.bytes) == before)
  }

  /// Readers of `fr-CA` understand the texts of `fr`.
  @Test func countsNoInheritedTextAsMissing() throws {
    let sandbox = try sandbox()
    try sandbox.shell("sed -i 's/\\[en, fr\\]/[en, fr, fr-CA]/' content/content.yaml")
    let export = ["translations", "export", "--locale", "fr-CA", "--to", "csv", "-o", "ca.csv"]
    let done = try sandbox.run(Sandbox.binary, export)
    #expect(
      done.output
        == "Wrote ca.csv: 3 texts, 2 without a translation, 0 outdated, 1 inherited from a parent locale\n",
      "\(done)")
    let answer = try sandbox.run(Sandbox.binary, export + ["--json"]).output
    #expect(answer.contains("\"missing\":2") || answer.contains("\"missing\": 2"), "\(answer)")
  }

  @Test func explainsWrongArguments() throws {
    let sandbox = try sandbox()
    func errors(_ arguments: String...) throws -> (status: Int32, text: String) {
      let run = try sandbox.run(Sandbox.binary, ["translations"] + arguments)
      return (run.status, run.errors)
    }
    var failed = try errors("export", "--locale", "en", "--to", "csv")
    #expect(failed.status == 64)
    #expect(failed.text.contains("'en' is the source locale"))
    failed = try errors("export", "--locale", "fr-BE", "--to", "csv")
    #expect(failed.status == 64)
    failed = try errors("export", "--locale", "fr", "--to", "csv", "-o", "content/fr.csv")
    #expect(failed.status == 64)
    #expect(failed.text.contains("outside of the content folder"))
    failed = try errors("export", "--locale", "fr", "--to", "csv", "-o", "none/fr.csv")
    #expect(failed.status == 74)
    #expect(failed.text.contains("none/fr.csv: error: the file cannot be written: No such file"))
    failed = try errors("export", "--locale", "fr", "--to", "csv", "--json")
    #expect(failed.status == 64)
    failed = try errors("import", "none.csv")
    #expect(failed.status == 66)
    failed = try errors("lock", "--accept", "product/rosa")
    #expect(failed.status == 66)
    #expect(failed.text.contains("did you mean 'product/rose'?"))
    failed = try errors("lock", "--locale", "fr")
    #expect(failed.status == 64)

    try sandbox.write("content/translations.lock", "x\n")
    failed = try errors("lock")
    #expect(failed.status == 1)
    #expect(failed.text.contains("content/translations.lock:1:1"))
    #expect(failed.text.contains("delete the line"))
  }

  @Test func mergesALockWithMarksOfGit() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("translations", "lock")
    let bytes = try #require(sandbox.read("content/translations.lock"))
    let row = String(decoding: bytes, as: UTF8.self)
    let other = row.replacing("\tfr\t", with: "\tfr\t-\t").split(separator: "\t")
    let outdated = [other[0], other[1], other[2], other[4]].joined(separator: "\t")
    try sandbox.write(
      "content/translations.lock", "<<<<<<< HEAD\n\(row)=======\n\(outdated)>>>>>>> b\n")
    let refused = try sandbox.run("coverage", "--fail-on", "outdated")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("marks of an unfinished merge"))
    #expect(refused.errors.contains("'contentc translations lock' merges both sides"))
    #expect(try sandbox.run("translations", "lock").status == 0)
    #expect(sandbox.read("content/translations.lock") == bytes)
  }

  @Test func needsNoLockWithoutTranslations() throws {
    let sandbox = try Sandbox([
      (
        "content/content.yaml",
        "app: a\nsourceLocale: en\nlocales: [en, fr]\nbundles: {a: {include: strings/*}}\n"
      ),
      ("content/strings/app.en.yml", "en: {hello: Hello}\n"),
    ])
    let gate = try sandbox.run("coverage", "--fail-on", "outdated")
    #expect(gate.status == 0 && gate.errors == "", "\(gate.errors)")
    #expect(!gate.output.contains("Outdated"))
  }
}
