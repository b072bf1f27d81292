package import ContentModel
import ContentSource
package import Diagnostics
import System

/// The parameters of a build.
package struct BuildRequest: Sendable {
  /// The content folder, as it was typed.
  package var content: String
  /// The folder to write, as it was typed.
  package var out: String
  /// `true` if a compressed copy is written beside each object.
  package var compresses: Bool
  /// `true` if no earlier build is used.
  package var isFresh: Bool
  /// The address of a shared cache; `nil` for none.
  package var cache: String?
  /// The moment of the build; `nil` for the current time.
  package var instant: Instant?
  /// The warnings that count as errors.
  package var policy: WarningPolicy
  /// `true` if the build has the pseudo-locales, too.
  package var hasPseudoLocales: Bool

  package init(
    content: String, out: String, compresses: Bool = true, isFresh: Bool = false,
    cache: String? = nil,
    at instant: Instant? = nil, judgedBy policy: WarningPolicy = WarningPolicy(),
    hasPseudoLocales: Bool = false
  ) {
    (self.content, self.out, self.compresses, self.isFresh) = (content, out, compresses, isFresh)
    (self.cache, self.instant, self.policy) = (cache, instant, policy)
    self.hasPseudoLocales = hasPseudoLocales
  }
}

extension BuildRequest {
  /// The moment of the build.
  var moment: Instant { instant ?? Clock.now }

  /// The flags that affect the output.
  var flags: [String] {
    [compresses ? "gzip" : "no gzip"] + (hasPseudoLocales ? ["pseudo-locales"] : [])
  }

  /// Opens the content folder and lists its files.
  func listedContent() throws(BuildError) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: content, name: content.withoutTrailingSlashes)
    } catch {
      throw .content(path: content, error)
    }
  }

  /// Opens the content folder for a caller that knows the paths of its files.
  func unlistedContent() throws(BuildError) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: content, name: content.withoutTrailingSlashes)
    } catch {
      throw .content(path: content, error)
    }
  }

  /// Checks the folders.
  ///
  /// - Throws: `outputInContent` if the output folder is the content folder or inside it.
  func validate() throws(BuildError) {
    let folder = content.withoutTrailingSlashes
    guard !out.withoutTrailingSlashes.hasSameBytes(as: folder), !out.hasBytePrefix("\(folder)/")
    else {
      throw .outputInContent
    }
  }
}
