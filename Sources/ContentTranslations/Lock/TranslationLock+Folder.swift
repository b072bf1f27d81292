package import ContentSource
package import Diagnostics

extension TranslationLock {
  /// Reads the lock of a content folder; `nil` if the folder has none.
  package static func read(in folder: ContentFolder) -> Diagnosed<TranslationLock?> {
    do {
      let bytes = try folder.read(fileName)
      let lock = decode(bytes, path: folder.shownPath(fileName))
      return Diagnosed(lock.output, diagnostics: lock.diagnostics)
    } catch {
      let isMissing = if case .missing = error { true } else { false }
      return Diagnosed(
        nil, diagnostics: isMissing ? [] : [error.diagnostic(at: folder.shownPath(fileName))])
    }
  }
}
