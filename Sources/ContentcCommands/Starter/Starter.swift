/// The project that `init` creates: the files of the folder `Project`, and a `.gitignore`.
enum Starter {
  /// A file of the project.
  struct File {
    /// The path below the project's folder.
    let path: String
    let bytes: [UInt8]
  }

  /// The files of the project.
  static var files: [File] {
    [
      File(path: ".gitignore", bytes: Array("out/\nsite/\n.contentc/\n".utf8)),
      File(path: "content/content.yaml", bytes: PackageResources.content_yaml),
      File(path: "content/datatypes/product.yaml", bytes: PackageResources.product_yaml),
      File(path: "content/datatypes/screen.yaml", bytes: PackageResources.screen_yaml),
      File(path: "content/entries/product/croissant.yaml", bytes: PackageResources.croissant_yaml),
      File(
        path: "content/entries/product/croissant.fr.yaml",
        bytes: PackageResources.croissant_fr_yaml),
      File(path: "content/entries/product/sourdough.yaml", bytes: PackageResources.sourdough_yaml),
      File(path: "content/entries/screen/home.yaml", bytes: PackageResources.home_yaml),
      File(
        path: "content/entries/screen/home@tablet.yaml", bytes: PackageResources.home_tablet_yaml),
      File(path: "content/strings/app.en.yml", bytes: PackageResources.app_en_yml),
      File(path: "content/strings/app.fr.yml", bytes: PackageResources.app_fr_yml),
    ]
  }
}
