import ContentBuild
package import ContentModel
package import ContentSource
package import Diagnostics
import System
package import Translations

/// A content folder without errors, and its lock of translations.
package struct TranslatedContent {
  package let folder: ContentFolder
  package let tree: ContentTree
  /// The source text of each translation; `nil` without a file.
  package let lock: TranslationLock?
  package let project: TranslationProject

  /// Reads a folder; the content is `nil` if it has errors, which may hide texts.
  ///
  /// Warnings of content without errors are left out: `contentc check` shows them. With
  /// `mergesSides`, the lock may be in an unfinished merge.
  package static func read(
    _ folder: ContentFolder, mergesSides: Bool = false
  ) -> Diagnosed<TranslatedContent?> {
    let read = ContentReader.read(folder)
    guard let tree = read.output, !read.hasErrors else {
      return Diagnosed(nil, diagnostics: read.diagnostics)
    }
    let lock = TranslationLock.read(in: folder, mergesSides: mergesSides)
    guard !lock.hasErrors else { return Diagnosed(nil, diagnostics: lock.diagnostics) }
    return Diagnosed(TranslatedContent(folder: folder, tree: tree, lock: lock.output))
  }

  private init(folder: ContentFolder, tree: ContentTree, lock: TranslationLock?) {
    (self.folder, self.tree, self.lock) = (folder, tree, lock)
    project = TranslationProject(of: tree, lock: lock)
  }

  /// Returns the locale with a name, into which texts can be translated.
  package func target(_ name: String) throws(Failure) -> LocaleTag {
    let (source, targets) = (project.locales.source, project.locales.targets)
    let tag = LocaleTag(name)
    if let tag, targets.contains(tag) { return tag }
    if tag == source {
      throw Failure(
        .usage, .unknownLocale, "'\(name)' is the source locale, from which texts are translated")
    }
    let failure = Failure(.usage, unknown: .unknownLocale, name, known: targets.map(\.identifier))
    throw targets.isEmpty
      ? failure.noting("content.yaml declares no locale but the source locale '\(source)'")
      : failure
  }

  /// A file to import, with its path for diagnostics.
  package typealias ImportedFile = (path: String, bytes: [UInt8])

  /// Plans the import of files so that the content still compiles.
  ///
  /// Files that cannot be read are left out with an error, as are units with mistakes. The plan is
  /// `nil` if nothing can be imported.
  package func importing(
    _ files: [ImportedFile], options: TranslationImport.Options
  ) throws -> Diagnosed<TranslationImport?> {
    var decoded: Diagnosed<[TranslationFile]> = Diagnosed([])
    for file in files {
      let read = TranslationFile.decode(file.bytes, path: file.path, locales: project.locales)
      decoded.output += read.output
      decoded.diagnostics += read.diagnostics
    }
    guard !decoded.output.isEmpty else { return Diagnosed(nil, diagnostics: decoded.diagnostics) }
    var plan = try importing(decoded.output, options: options)
    plan.diagnostics = decoded.diagnostics + plan.diagnostics
    return plan
  }

  /// Plans the import of translations.
  func importing(
    _ files: [TranslationFile], options: TranslationImport.Options
  ) throws -> Diagnosed<TranslationImport?> {
    try TranslationImport.plan(
      files, into: folder, tree: tree, lock: lock, options: options
    ) { input in
      try Compilation.compiling(input, at: Clock.now, judgedBy: WarningPolicy()) { _ in }.found
    }
  }
}
