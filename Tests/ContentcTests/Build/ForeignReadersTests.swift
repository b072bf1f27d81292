import TestServers
import Testing

@testable import TestCommands

/// Foreign property list readers give equal values for every object.
@Suite(.needsServers) struct ForeignReadersTests {
  @Test(.nightly) func agreesWithPlistlibPlutilAndPlistutilOnEveryObjectOfTheSample() throws {
    let sandbox = try Sandbox()
    for format in ["binary", "xml", "openstep", "json"] {
      try sandbox.copySample(to: format, format: format)
      let built = try sandbox.run("build", "--content", format, "--out", "out-\(format)", "--quiet")
      try #require(built.status == 0, "\(built.errors)")
    }
    let agreed = try sandbox.script(
      "foreign-readers.py", "out-binary", "out-xml", "out-openstep", "out-json")
    #expect(agreed.status == 0, "\(agreed.errors)")
    print(agreed.output.dropLast())
  }

  @Test func agreesWithForeignReadersOnDifficultValues() throws {
    let sandbox = try Sandbox(OddContent.files)
    for format in ["binary", "xml", "openstep", "json"] {
      try sandbox.write("content/content.yaml", OddContent.files[0].text + "format: \(format)\n")
      let built = try sandbox.run("build", "--out", "out-\(format)", "--quiet")
      try #require(built.status == 0, "\(built.errors)")
    }
    let agreed = try sandbox.script(
      "foreign-readers.py", "out-binary", "out-xml", "out-openstep", "out-json")
    #expect(agreed.status == 0, "\(agreed.errors)")
  }

  /// Proves that the comparison can fail.
  @Test func detectsADifferenceInOneFormat() throws {
    let sandbox = try Sandbox()
    try #require(try sandbox.run("init").status == 0)
    let project = String(decoding: sandbox.read("content/content.yaml") ?? [], as: UTF8.self)
    for format in ["binary", "xml", "openstep", "json"] {
      try sandbox.write("content/content.yaml", "\(project)\nformat: \(format)\n")
      if format == "json" {
        try sandbox.shell(
          "sed -i.bak 's/price: 2.4/price: 2.5/' content/entries/product/croissant.yaml")
      }
      let built = try sandbox.run("build", "--out", "out-\(format)", "--quiet")
      try #require(built.status == 0, "\(built.errors)")
    }
    let agreed = try sandbox.script(
      "foreign-readers.py", "out-binary", "out-xml", "out-openstep", "out-json")
    #expect(agreed.status == 1)
    #expect(agreed.errors.contains("differs at"), "\(agreed.errors)")
  }
}
