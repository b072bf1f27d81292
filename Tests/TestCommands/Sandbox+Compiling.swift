extension Sandbox {
  /// The modules of the library `ContentClient`.
  private static let client = [
    "ContentClient", "ContentModel", "HTTPTransport", "PropertyLists", "RichText", "SiteFormat",
    "SystemC",
  ]

  /// Returns the command that compiles a program that uses `ContentClient` and other modules.
  ///
  /// The program is linked with the modules as they were built for the tests: only its own file is
  /// compiled.
  static func compiling(_ source: String, to program: String, with modules: [String] = []) -> String
  {
    // The folders of modules may also contain objects of sources that were deleted.
    let objects = "'\(build)/contentcPackageTests.product/Objects.LinkFileList'"
    let pattern = "/(\((modules + client).joined(separator: "|")))[.]build/"
    let headers = ["CLinux", "CCurl", "CCrypto"].map { "-I '\(checkout)/Sources/\($0)'" }
    let words = ["HOME=$PWD swiftc", source, "-o", program, "-I '\(build)/Modules'"]
    return (words + headers + ["$(grep -E '\(pattern)' \(objects)) -lcrypto"])
      .joined(separator: " ")
  }
}
