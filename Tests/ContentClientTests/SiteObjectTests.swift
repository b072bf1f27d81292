import ContentModel
import SiteFormat
import Testing

/// The paths of assets, which come from foreign bytes and become names of files.
@Suite struct SiteObjectTests {
  private static let digest = Digest(of: Array("rose".utf8))
  private static let hex = digest.hex
  private static let path = "objects/\(hex.prefix(2))/\(hex).svg"

  @Test func readsTheDocumentedForm() {
    let object = SiteObject(path: Self.path)
    #expect(object == SiteObject(Self.digest, ending: "svg") && object?.path == Self.path)
  }

  /// Texts in place of the ending `.svg`.
  private static let endings = [
    "", ".", "..", "./x", ".SVG", ".s v", ".s\u{301}", ".123456789", ".svg/", ".svg\0", ".svg\n",
  ]
  /// Texts in place of the hash.
  private static let names = [
    hex.uppercased(), String(hex.dropLast()), hex + "0", String(repeating: "../", count: 21) + "x",
  ]
  private static let others = [
    "", "/", "/" + path, "../" + path, "objects/../" + path, "./" + path,
    "https://evil.example/" + path, String(repeating: "a", count: 1 << 20),
    path.replacing("objects/", with: "Objects/"), path.replacing("/", with: "\\"),
    path.replacing("/\(hex.prefix(2))/", with: "/00/"),
    path.replacing("/\(hex.prefix(2))/", with: "/../"),
  ]

  @Test(
    arguments: endings.map { path.replacing(".svg", with: $0) }
      + names.map { path.replacing(hex, with: $0) } + others)
  func refusesAllOthers(path: String) {
    #expect(SiteObject(path: path) == nil)
  }
}
