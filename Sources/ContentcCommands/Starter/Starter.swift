/// The project that `init` makes.
enum Starter {
  /// One of its files.
  struct File {
    /// Below the project's folder.
    let path: String
    let text: String
  }

  /// All of them.
  static let files = [
    File(path: ".gitignore", text: "out/\n.contentc/\n"),
    File(path: "content/content.yaml", text: project),
    File(path: "content/datatypes/product.yaml", text: productDatatype),
    File(path: "content/datatypes/screen.yaml", text: screenDatatype),
    File(path: "content/entries/product/croissant.yaml", text: croissant),
    File(path: "content/entries/product/croissant.fr.yaml", text: croissantInFrench),
    File(path: "content/entries/product/sourdough.yaml", text: sourdough),
    File(path: "content/entries/screen/home.yaml", text: home),
    File(path: "content/entries/screen/home@tablet.yaml", text: homeOnTablets),
    File(path: "content/strings/app.en.yml", text: strings),
    File(path: "content/strings/app.fr.yml", text: stringsInFrench),
  ]
}
