/// A credential, and the environment variable that holds it.
package struct CDNSecret: Sendable, CustomStringConvertible, CustomReflectable {
  package let variable: String
  package let value: String

  package init(variable: String, value: String) {
    (self.variable, self.value) = (variable, value)
  }

  /// The name of the variable, without the value.
  package var description: String { variable }
  /// A mirror without the value, since tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
