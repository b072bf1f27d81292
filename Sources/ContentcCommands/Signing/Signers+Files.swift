package import ContentReleases
import Diagnostics
package import SiteFormat

extension Signers {
  /// Creates the signers of some roles whose secret keys are in files.
  package init(files: [String], app: String, channel: String, in roles: [KeyDocument.Role]) {
    self.init(
      of: files.flatMap { path in
        roles.map { role in
          SignerSettings(
            app: app, channel: channel, role: role, source: .file(path: path),
            location: SourceLocation(path: path))
        }
      })
  }
}
