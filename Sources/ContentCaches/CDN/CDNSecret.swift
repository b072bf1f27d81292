/// A credential, and the environment variable that holds it.
package struct CDNSecret: Sendable, CustomStringConvertible, CustomReflectable {
  package let variable: String
  package let value: String

  package init(_ variable: String, _ value: String) {
    (self.variable, self.value) = (variable, value)
  }

  /// Holds no secret.
  package var description: String { variable }
  /// Holds no secret either, as tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
