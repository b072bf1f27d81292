import PreviewPage

extension Page {
  /// The page from the files of `PreviewPage`, which the package embeds in the executable.
  static let bundled = Page(index: bundledFiles["index.html"] ?? "", files: bundledFiles)

  /// The embedded files, by their names without folders.
  static let bundledFiles: [String: String] = {
    let files = (0..<preview_page_file_count()).map { preview_page_file($0) }
    return Dictionary(
      uniqueKeysWithValues: files.map { (String(cString: $0.name), String(cString: $0.text)) })
  }()
}
