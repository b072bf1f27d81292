import SystemC
package import Testing

extension Trait where Self == ConditionTrait {
  /// A condition of tests that need servers, a browser, other programs of `make setup-servers`, or a
  /// machine that does little else.
  ///
  /// `make test` and `make nightly` run these tests, and so does `swift test` with
  /// `CONTENTC_SERVERS=1`.
  package static var needsServers: Self {
    .enabled(if: isSet("CONTENTC_SERVERS"), "'make test' runs it: it needs servers")
  }

  /// A condition of tests that take long, or that compare with programs and files of
  /// `make setup-judges`.
  ///
  /// `make nightly` runs these tests, and so does `swift test` with `CONTENTC_NIGHTLY=1`.
  package static var nightly: Self {
    .enabled(if: isSet("CONTENTC_NIGHTLY"), "'make nightly' runs it: it takes long")
  }
}

/// A test that repeats something, more often in `make nightly`.
package enum Drill {
  /// Returns how often to repeat it: the value of the environment variable `name`, or one of these
  /// numbers.
  package static func count(_ name: String, usual: Int, nightly: Int) -> Int {
    Int(setting(name, usual: "\(usual)", nightly: "\(nightly)")) ?? usual
  }

  /// Returns the value of the environment variable `name`.
  ///
  /// If it is not set, returns `nightly` in `make nightly`, and `usual` otherwise.
  package static func setting(_ name: String, usual: String, nightly: String) -> String {
    getenv(name).map { String(cString: $0) } ?? (isSet("CONTENTC_NIGHTLY") ? nightly : usual)
  }
}

/// Returns `true` if an environment variable exists and is not empty.
private func isSet(_ name: String) -> Bool {
  getenv(name).map { $0[0] != 0 } ?? false
}
