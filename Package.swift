// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: strict)
}

// Builds of this repository take the versions with which this version was tested. Apps that depend
// on the package may take later ones.
let isExact = Context.environment["CONTENTC_EXACT"] != nil

func remote(
  _ url: String, _ version: Version, traits: Set<Package.Dependency.Trait> = [.defaults]
) -> Package.Dependency {
  isExact
    ? .package(url: url, exact: version, traits: traits)
    : .package(url: url, from: version, traits: traits)
}

// Apple's stores read a privacy manifest. Elsewhere, a resource would only add Foundation.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if canImport(Darwin)
  let (excluded, resources): ([String], [Resource]) = ([], [.copy(privacyManifest)])
#else
  let (excluded, resources): ([String], [Resource]) = ([privacyManifest], [])
#endif

func tests(_ name: String, exclude: [String] = [], _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "contentc",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .library(name: "ContentModel", targets: ["ContentModel"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "ContentClient", targets: ["ContentClient"]),
    .library(name: "RichText", targets: ["RichText"]),
    .library(name: "ContentClientTesting", targets: ["ContentClientTesting"]),
    .executable(name: "contentc", targets: ["contentc"]),
  ],
  dependencies: [
    remote("https://github.com/apple/swift-argument-parser", "1.8.2"),
    remote("https://github.com/hummingbird-project/hummingbird", "2.28.1", traits: []),
    remote("https://github.com/apple/swift-nio", "2.101.2"),
    remote("https://github.com/apple/swift-http-types", "1.8.0", traits: []),
    remote("https://github.com/apple/swift-log", "1.16.2"),
  ],
  targets: [
    system("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    system(
      "CMark", pkgConfig: "libcmark-gfm", apt: "libcmark-gfm-dev libcmark-gfm-extensions-dev",
      brew: "cmark-gfm"),
    system("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CLinux"),
    // What apps compile.
    module("SystemC", ["CLinux"]),
    module(
      "ContentModel",
      ["SystemC", .target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    module("PropertyLists", ["ContentModel", "SystemC"]),
    module(
      "SiteFormat",
      [
        "ContentModel", "PropertyLists",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    module("RichText", ["ContentModel", "PropertyLists"]),
    module("HTTPTransport", ["CCurl", "ContentModel", "SystemC"]),
    module(
      "ContentClient",
      [
        "ContentModel", "PropertyLists", "RichText", "SiteFormat", "SystemC",
        .target(name: "HTTPTransport", condition: .when(platforms: [.linux])),
      ], exclude: excluded, resources: resources),
    module("ContentClientTesting", ["ContentClient", "ContentModel", "PropertyLists"]),
    // The language.
    module("Diagnostics", ["ContentModel", "PropertyLists"]),
    module("YAML", ["CYAML", "ContentModel", "Diagnostics", "SystemC"]),
    module("Markdown", ["CMark", "ContentModel", "SystemC"]),
    .target(name: "TimeZoneData", exclude: ["zones.bin"]),
    module(
      "ContentSource",
      ["ContentModel", "Diagnostics", "Markdown", "System", "SystemC", "TimeZoneData", "YAML"]),
    module(
      "ContentCompiler",
      [
        "ContentModel", "ContentSource", "Diagnostics", "Markdown", "PropertyLists", "SiteFormat",
        "System", "YAML",
      ]),
    module(
      "Translations",
      [
        "ContentModel", "ContentSource", "Diagnostics", "PropertyLists", "XML", "YAML",
      ]),
    // The machine.
    module("XML", ["CExpat"]),
    module("System", ["ContentModel", "SystemC"]),
    module("SharedGzip", ["CDeflate", "CZlib", "SystemC"]),
    module(
      "ContentBuild",
      [
        "ContentCompiler", "ContentModel", "ContentSource", "Diagnostics", "HTTPTransport",
        "PropertyLists", "SharedGzip", "System", "SystemC",
      ]),
    // The delivery.
    module(
      "ContentTargets",
      [
        "ContentModel", "HTTPTransport", "PropertyLists", "SharedGzip", "System", "SystemC", "XML",
      ]),
    .target(
      name: "ContentCaches",
      dependencies: [
        "ContentModel", "ContentSource", "HTTPTransport", "PropertyLists", "System", "XML",
      ], resources: [.embedInCode("Templates")], swiftSettings: strict),
    module(
      "ContentReleases",
      [
        "ContentModel", "ContentSource", "ContentTargets", "Diagnostics", "HTTPTransport",
        "PropertyLists", "SiteFormat", "System", "SystemC", "YAML",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    module(
      "ContentPurging",
      [
        "ContentCaches", "ContentModel", "ContentReleases", "ContentSource", "ContentTargets",
        "Diagnostics", "HTTPTransport", "PropertyLists", "SharedGzip", "SiteFormat", "System",
        "SystemC",
      ]),
    // People.
    .target(
      name: "PreviewPage",
      exclude: ["Page", "page.d.ts", "tsconfig.json", "tsconfig.typed.json"]),
    module(
      "ContentPreview",
      [
        "ContentBuild", "ContentCompiler", "ContentModel", "ContentSource", "Diagnostics",
        "PreviewPage", "PropertyLists", "SharedGzip", "SiteFormat", "System", "SystemC",
        "Translations",
        .target(name: "CQRencode", condition: .when(platforms: [.linux])),
      ]),
    module(
      "ContentPreviewServer",
      [
        "ContentPreview", "System", .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "ContentcCommands",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "CDeflate", "CExpat",
        "CMark", "CYAML", "CZlib", "ContentBuild", "ContentCaches", "ContentCompiler",
        "ContentModel", "ContentPreview", "ContentPreviewServer", "ContentPurging",
        "ContentReleases", "ContentSource", "ContentTargets", "Diagnostics", "HTTPTransport",
        "PropertyLists", "SiteFormat", "System", "SystemC", "Translations", "YAML",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ], resources: [.embedInCode("Starter/Project")], swiftSettings: strict),
    .executableTarget(
      name: "contentc", dependencies: ["ContentcCommands"], swiftSettings: strict),
    // Helpers of tests are test targets, too, so that only `--build-tests` builds them. Only test
    // targets may depend on a test target.
    tests("TestInputs", ["Diagnostics", "SystemC"]),
    .target(name: "TestWidth", path: "Tests/TestWidth"),
    tests("TestServers", ["SystemC", "TestWidth"]),
    tests(
      "TestSigning",
      [
        "ContentModel", "PropertyLists", "SiteFormat", "TestInputs",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    tests(
      "TestReaders",
      [
        "ContentClient", "ContentClientTesting", "ContentCompiler", "ContentModel",
        "ContentPurging", "ContentReleases", "ContentSource", "ContentTargets", "Diagnostics",
        "PropertyLists", "SiteFormat",
      ]),
    tests(
      "TestDelivery",
      [
        "ContentCaches", "ContentModel", "ContentPurging", "ContentReleases", "ContentSource",
        "ContentTargets", "HTTPTransport", "PropertyLists", "SharedGzip", "SiteFormat", "System",
        "SystemC", "TestInputs", "TestReaders", "TestServers",
      ]),
    tests(
      "TestCommands", exclude: ["Scripts"],
      [
        "ContentModel", "ContentReleases", "ContentTargets", "ContentcCommands", "PropertyLists",
        "SystemC", "TestServers",
      ]),
    tests("ContentModelTests", ["ContentModel", "SystemC", "TestInputs"]),
    tests("PropertyListsTests", ["ContentModel", "PropertyLists", "SystemC", "TestInputs"]),
    tests(
      "SiteFormatTests", exclude: ["Model", "Wycheproof"],
      ["ContentModel", "PropertyLists", "SiteFormat", "SystemC", "TestInputs", "TestSigning"]),
    tests("RichTextTests", ["ContentModel", "RichText"]),
    tests("HTTPTransportTests", ["HTTPTransport", "SystemC", "TestServers"]),
    tests(
      "ContentClientTests",
      [
        "ContentClient", "ContentClientTesting", "ContentModel", "ContentPurging",
        "ContentReleases", "ContentSource", "ContentTargets", "PropertyLists", "SiteFormat",
        "SystemC", "TestDelivery", "TestInputs", "TestReaders", "TestServers", "TestSigning",
      ]),
    tests(
      "DiagnosticsTests", exclude: ["Golden"], ["ContentModel", "Diagnostics", "TestInputs"]),
    tests(
      "YAMLTests", exclude: ["Editing/Scripts"],
      ["ContentModel", "Diagnostics", "TestInputs", "TestServers", "YAML"]),
    tests(
      "MarkdownTests", exclude: ["Attacks"],
      ["CMark", "ContentModel", "Markdown", "SystemC", "TestInputs", "TestServers"]),
    tests(
      "ContentSourceTests",
      ["ContentModel", "ContentSource", "Diagnostics", "SystemC", "TestInputs", "YAML"]),
    tests(
      "ContentCompilerTests", exclude: ["Golden"],
      [
        "ContentCompiler", "ContentModel", "ContentSource", "Diagnostics", "Markdown",
        "PropertyLists", "SiteFormat", "SystemC", "TestInputs",
      ]),
    tests(
      "TranslationsTests", exclude: ["Files/Golden", "Files/Scripts"],
      [
        "ContentModel", "ContentSource", "Diagnostics", "TestInputs", "TestServers",
        "Translations", "YAML",
      ]),
    tests("SystemTests", ["System"]),
    tests("XMLTests", ["XML"]),
    tests("SharedGzipTests", ["SharedGzip", "TestInputs"]),
    tests(
      "ContentBuildTests",
      ["ContentBuild", "ContentModel", "SharedGzip", "System", "SystemC", "TestInputs"]),
    tests(
      "SharedCacheTests",
      ["ContentBuild", "ContentModel", "HTTPTransport", "SystemC", "TestServers"]),
    tests(
      "ContentReleasesTests",
      [
        "ContentModel", "ContentReleases", "Diagnostics", "PropertyLists", "SiteFormat", "SystemC",
        "TestInputs", "TestServers",
      ]),
    tests(
      "ContentDeliveryTests", exclude: ["Golden", "Scripts"],
      [
        "ContentCaches", "ContentModel", "ContentPurging", "ContentReleases", "ContentSource",
        "ContentTargets", "HTTPTransport", "PropertyLists", "SharedGzip", "SiteFormat", "System",
        "SystemC", "TestDelivery", "TestInputs", "TestReaders", "TestServers",
      ]),
    tests(
      "DeliveryServerTests",
      [
        "ContentCaches", "ContentClient", "ContentClientTesting", "ContentModel",
        "ContentPurging", "ContentReleases", "ContentSource", "ContentTargets", "HTTPTransport",
        "PropertyLists", "SharedGzip", "SiteFormat", "System", "SystemC", "TestDelivery",
        "TestInputs", "TestReaders", "TestServers",
      ]),
    tests(
      "ContentPreviewTests", exclude: ["Browser", "Museum", "Page"],
      [
        "ContentBuild", "ContentCompiler", "ContentModel", "ContentPreview",
        "ContentPreviewServer", "ContentSource", "Diagnostics", "PropertyLists", "SiteFormat",
        "System", "SystemC", "TestServers", "Translations",
      ]),
    tests(
      "NotificationsTests",
      [
        "ContentModel", "ContentReleases", "ContentcCommands", "Diagnostics", "PropertyLists",
        "System", "SystemC", "TestServers",
      ]),
    tests(
      "ContentcTests",
      [
        "contentc", "ContentBuild", "ContentCaches", "ContentClient",
        "ContentClientTesting", "ContentCompiler", "ContentModel", "ContentPreview",
        "ContentPurging", "ContentReleases", "ContentSource", "ContentTargets",
        "ContentcCommands", "Diagnostics", "HTTPTransport", "PropertyLists", "SharedGzip",
        "SiteFormat", "System", "SystemC", "TestCommands", "TestInputs", "TestReaders",
        "TestServers",
        "TestSigning", "Translations",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests(
      "CommandServerTests",
      [
        "contentc", "ContentModel", "ContentReleases", "ContentTargets",
        "ContentcCommands", "HTTPTransport", "PropertyLists", "SharedGzip", "ShopTerminal",
        "SiteFormat", "System", "SystemC", "TestCommands", "TestDelivery", "TestInputs",
        "TestReaders", "TestServers",
      ]),
    // The example app's libraries: tests link its program with them, so that the app is not built a
    // second time.
    .testTarget(
      name: "ShopScreens", dependencies: ["ContentClient"],
      path: "Examples/flowershop/Sources/ShopScreens", swiftSettings: strict),
    .testTarget(
      name: "ShopTerminal", dependencies: ["ShopScreens", "ContentClient"],
      path: "Examples/flowershop/Sources/ShopTerminal", swiftSettings: strict),
    tests(
      "FlowerShopTests",
      [
        "ContentClient", "ContentClientTesting", "ContentModel", "PropertyLists", "ShopScreens",
        "ShopTerminal", "SystemC",
      ]),
  ],
  // For #embed.
  cLanguageStandard: .c2x
)

// `make build-tests` compiles without the optimizer, which takes longer than it saves. Here are the
// exceptions: modules whose calculations tests wait for (docs/decisions.md). The options are unsafe
// in a package that others depend on, so they need `CONTENTC_TESTED`.
if Context.environment["CONTENTC_TESTED"] != nil {
  let optimized = [
    "ContentBuild", "ContentClient", "ContentClientTesting", "ContentCompiler", "ContentModel",
    "ContentSource", "Diagnostics", "HTTPTransport", "Markdown", "PropertyLists", "RichText",
    "SharedGzip", "SiteFormat", "System", "SystemC", "Translations", "YAML",
  ]
  for name in optimized {
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("no module '\(name)'")
    }
    // The compiler takes the last of such options, and these follow those of the command line.
    target.swiftSettings =
      (target.swiftSettings ?? [])
      + [.unsafeFlags(["-Xfrontend", "-O", "-Xfrontend", "-enable-default-cmo"])]
  }
}
