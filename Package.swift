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

// Apple's stores read a privacy manifest. Elsewhere, a resource would only add Foundation.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if canImport(Darwin)
  let (excluded, resources): ([String], [Resource]) = ([], [.copy(privacyManifest)])
#else
  let (excluded, resources): ([String], [Resource]) = ([privacyManifest], [])
#endif

func tests(_ name: String, exclude: [String] = [], _ dependencies: [Target.Dependency] = [])
  -> Target
{
  .testTarget(
    name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + dependencies,
    exclude: exclude,
    swiftSettings: strict)
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
    .executable(name: "contentc-preview", targets: ["contentc-preview"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
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
    module("SystemC", ["CLinux"]),
    module("Parallel", ["Platform", "SystemC"]),
    module("ContentModel", ["SystemC"]),
    module(
      "Hashing",
      ["ContentModel", .target(name: "CCrypto", condition: .when(platforms: [.linux]))]),
    module("PropertyLists", ["ContentModel", "SystemC"]),
    module(
      "ContentTrust",
      [
        "ContentModel", "PropertyLists", "Hashing",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    module("Diagnostics", ["SystemC"]),
    module("Patterns", ["SystemC"]),
    module("Placeholders", ["ContentModel", "SystemC"]),
    module("TranslationFiles", ["CExpat", "ContentModel", "Diagnostics", "SystemC"]),
    module("SourceYAML", ["ContentModel", "Diagnostics", "CYAML", "SystemC"]),
    module("Markdown", ["ContentModel", "Hashing", "CMark", "SystemC"]),
    module("PseudoLocales", ["ContentModel", "Markdown", "SystemC"]),
    module("YAMLEditing", ["ContentModel", "Diagnostics", "SourceYAML", "SystemC"]),
    module(
      "ContentSource",
      [
        "ContentModel", "Diagnostics", "Hashing", "Markdown", "Patterns", "Placeholders", "SystemC",
        "SourceYAML", "Parallel",
      ]),
    module(
      "ContentTranslations",
      [
        "ContentModel", "ContentSource", "Diagnostics", "Hashing", "SourceYAML", "SystemC",
        "TranslationFiles", "YAMLEditing",
      ]),
    module(
      "ContentResolution",
      [
        "ContentModel", "Diagnostics", "ContentSource", "Markdown", "Patterns", "PseudoLocales",
        "SourceYAML", "SystemC",
      ]),
    module(
      "ContentCompiler",
      [
        "ContentModel", "ContentResolution", "Geography", "Markdown", "PropertyLists",
        "Diagnostics",
        "ContentSource", "Hashing", "SystemC", "SourceYAML", "Parallel",
      ]),
    module(
      "ContentReports",
      [
        "ContentModel", "ContentResolution", "PropertyLists", "Diagnostics", "ContentSource",
        "SystemC", "SourceYAML", "Parallel",
      ]),
    module("SharedGzip", ["CDeflate", "CZlib", "SystemC"]),
    module("ContentStore", ["ContentModel", "SystemC", "Parallel", "SharedGzip"]),
    module("Platform", ["ContentModel", "SystemC"]),
    module("HTTPTransport", ["ContentModel", "Hashing", "CCurl", "SystemC"]),
    module("SharedValues", ["SystemC"]),
    module("RichText", ["ContentModel", "PropertyLists", "SystemC"]),
    module("Geography", ["ContentModel", "SystemC"]),
    module("SiteFiles", ["ContentModel", "Geography", "PropertyLists", "Hashing", "SystemC"]),
    module("ReaderFiles", ["ContentModel", "SharedValues", "SiteFiles", "SystemC"]),
    module(
      "ContentClient",
      [
        "ContentModel", "ContentTrust", "Geography", "PropertyLists", "Hashing", "Placeholders",
        "ReaderFiles", "RichText", "SharedValues", "SiteFiles", "SystemC",
        .target(name: "HTTPTransport", condition: .when(platforms: [.linux])),
      ], exclude: excluded, resources: resources),
    module(
      "ContentClientTesting",
      [
        "ContentClient", "ContentModel", "Hashing", "PropertyLists", "ReaderFiles", "SharedValues",
      ]),
    module(
      "ContentTargets",
      [
        "ContentModel", "PropertyLists", "ContentStore", "Hashing", "HTTPTransport", "Parallel",
        "Platform", "Programs", "SharedGzip", "SystemC",
      ]),
    module(
      "ContentReleases",
      [
        "ContentModel", "PropertyLists", "ContentStore", "ContentTargets", "ContentTrust",
        "Hashing", "Parallel", "Platform", "SystemC",
      ]),
    .target(
      name: "ContentCaches",
      dependencies: [
        "ContentModel", "PropertyLists", "Hashing", "HTTPTransport", "Parallel",
        "Platform", "SystemC",
      ], resources: [.embedInCode("Templates")], swiftSettings: strict),
    module(
      "ContentPurging",
      [
        "ContentModel", "PropertyLists", "ContentStore", "ContentTargets", "ContentReleases",
        "ContentCaches", "ContentTrust", "Diagnostics", "Hashing", "HTTPTransport", "Parallel",
        "Platform", "SharedGzip", "SystemC",
      ]),
    module(
      "ContentBaking",
      [
        "ContentModel", "PropertyLists", "ContentStore", "ContentTargets", "ContentTrust",
        "Hashing", "HTTPTransport", "Parallel", "SiteFiles", "SystemC",
      ]),
    .target(name: "PreviewPage", exclude: ["Page"]),
    .target(
      name: "ContentPreview",
      dependencies: [
        "ContentModel", "ContentResolution", "Diagnostics", "ContentSource", "ContentCompiler",
        "ContentReports", "ContentStore", "ContentBuild", "PropertyLists", "Hashing", "SystemC",
        "PreviewPage", "SharedGzip", "SharedValues",
        .target(name: "CQRencode", condition: .when(platforms: [.linux])),
      ], swiftSettings: strict),
    module(
      "ContentPreviewServer",
      [
        "ContentPreview", "Platform", .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    module(
      "RemoteCache",
      ["ContentModel", "Hashing", "HTTPTransport", "Parallel", "Platform", "SystemC"]),
    module(
      "ContentBuild",
      [
        "ContentModel", "PropertyLists", "Diagnostics", "ContentSource", "ContentCompiler",
        "ContentStore",
        "RemoteCache", "Platform", "Hashing", "SystemC", "Parallel", "SharedGzip",
      ]),
    module(
      "CommandReports",
      [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "ContentModel",
        "PropertyLists", "Diagnostics", "ContentSource", "Platform", "SystemC",
      ]),
    module("Programs", ["Platform", "SystemC"]),
    module(
      "ContentSettings",
      ["ContentModel", "ContentTrust", "Diagnostics", "ContentSource", "SourceYAML", "SystemC"]),
    module(
      "ContentSigning",
      [
        "ContentModel", "ContentTrust", "ContentSettings", "Diagnostics", "Hashing", "Platform",
        "Programs", "SystemC",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ]),
    module(
      "ContentKeys", ["ContentModel", "ContentStore", "ContentTrust", "PropertyLists", "SystemC"]),
    module(
      "Notifications",
      [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "ContentModel",
        "PropertyLists", "Diagnostics", "ContentSettings", "CommandReports", "Parallel",
        "Platform", "Programs", "SystemC",
      ]),
    module(
      "CommandParts",
      [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "CommandReports",
        "ContentBuild", "ContentCaches", "ContentCompiler", "ContentKeys", "ContentModel",
        "ContentPreview", "ContentPurging", "ContentReleases", "ContentReports",
        "ContentResolution", "ContentSettings", "ContentSigning", "ContentSource",
        "ContentStore", "ContentTargets", "ContentTranslations", "ContentTrust", "Diagnostics",
        "Hashing", "Notifications", "Platform", "PropertyLists", "SourceYAML", "SystemC",
        "TranslationFiles",
      ]),
    .target(
      name: "ContentcCommands",
      dependencies: [
        "CommandParts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "ContentModel",
        "PropertyLists", "Diagnostics", "ContentSource", "ContentCompiler", "ContentReports",
        "ContentStore", "ContentBuild",
        "ContentTargets", "ContentReleases", "ContentCaches", "ContentPurging", "Hashing",
        "HTTPTransport", "Platform", "ContentPreview", "SystemC", "Parallel",
        "CommandReports", "ContentBaking", "ContentKeys", "ContentSigning",
        "ContentTranslations", "ContentTrust", "Notifications", "TranslationFiles",
      ], resources: [.embedInCode("Starter/Project")], swiftSettings: strict),
    .executableTarget(
      name: "contentc", dependencies: ["ContentcCommands"], swiftSettings: strict),
    .executableTarget(
      name: "contentc-preview", dependencies: ["ContentcCommands", "ContentPreviewServer"],
      swiftSettings: strict),
    tests("ContentModel", ["TestInputs"]),
    tests("Geography", ["ContentModel", "SystemC", "TestInputs"]),
    tests("Hashing", ["ContentModel"]),
    tests("Parallel"),
    tests("Platform"),
    tests("PropertyLists", ["ContentModel", "SystemC", "TestInputs"]),
    tests(
      "ContentTrust", exclude: ["Model", "Wycheproof"],
      [
        "ContentModel", "PropertyLists", "Hashing", "SystemC", "TestInputs", "TestSigning",
      ]),
    .testTarget(
      name: "TestSigning",
      dependencies: [
        "ContentModel", "ContentTrust", "Hashing", "PropertyLists", "TestInputs",
        .target(name: "CCrypto", condition: .when(platforms: [.linux])),
      ], swiftSettings: strict),
    tests("Diagnostics"),
    // Helpers of tests are test targets, too, so that only `--build-tests` builds them. Only test
    // targets may depend on a test target.
    .testTarget(
      name: "TestInputs", dependencies: ["Diagnostics", "SystemC"], swiftSettings: strict),
    tests("Patterns", ["TestInputs"]),
    tests("Placeholders"),
    tests("PseudoLocales", ["ContentModel", "Markdown", "Placeholders", "TestInputs"]),
    tests("RichText", ["ContentModel"]),
    tests(
      "TranslationFiles", exclude: ["Golden", "Scripts"],
      ["ContentModel", "Diagnostics", "TestInputs", "TestServers"]),
    tests("SourceYAML", ["Diagnostics", "TestInputs"]),
    tests(
      "YAMLEditing", exclude: ["Scripts"],
      ["ContentModel", "Diagnostics", "SourceYAML", "TestInputs"]),
    tests(
      "Markdown", exclude: ["Attacks"],
      ["ContentModel", "Hashing", "CMark", "SystemC", "TestInputs"]),
    tests(
      "ContentSource",
      ["ContentModel", "Diagnostics", "Hashing", "SystemC", "SourceYAML", "TestInputs"]),
    tests(
      "ContentCompiler", exclude: ["Golden"],
      [
        "ContentModel", "PropertyLists", "Diagnostics", "ContentSource", "Hashing", "SystemC",
        "TestInputs",
      ]),
    tests(
      "ContentReports",
      ["ContentModel", "ContentResolution", "Diagnostics", "ContentSource", "ContentCompiler"]),
    tests(
      "ContentTranslations",
      [
        "ContentModel", "ContentSource", "Diagnostics", "SourceYAML", "TestInputs",
        "TranslationFiles",
      ]),
    tests("SharedGzip", ["TestInputs"]),
    tests("ContentStore", ["ContentModel", "SystemC", "TestInputs", "SharedGzip"]),
    tests("RemoteCache", ["ContentModel", "Hashing", "HTTPTransport", "SystemC", "TestServers"]),
    .testTarget(
      name: "TestReaders",
      dependencies: [
        "ContentClient", "ContentClientTesting", "ContentModel", "PropertyLists", "Diagnostics",
        "ContentSource", "ContentCompiler", "ContentTargets", "ContentReleases", "ContentPurging",
        "Hashing", "SharedValues", "SiteFiles",
      ], swiftSettings: strict),
    .testTarget(name: "TestServers", dependencies: ["SystemC"], swiftSettings: strict),
    tests("HTTPTransport", ["TestServers", "SystemC"]),
    .testTarget(
      name: "TestDelivery",
      dependencies: [
        "ContentModel", "PropertyLists", "ContentStore", "ContentTargets", "ContentReleases",
        "ContentCaches", "ContentPurging", "ContentSigning", "ContentTrust", "Hashing",
        "HTTPTransport", "Platform", "SharedGzip", "SystemC", "TestInputs", "TestReaders",
        "TestServers",
      ],
      swiftSettings: strict),
    tests(
      "ContentClient",
      [
        "ContentClientTesting", "SiteFiles", "ContentModel", "PropertyLists", "Hashing",
        "ContentTargets", "ContentTrust", "ReaderFiles", "SharedValues",
        "ContentReleases", "ContentPurging", "TestDelivery", "TestInputs", "TestReaders",
        "TestServers", "TestSigning", "SystemC",
      ]),
    .testTarget(
      name: "ContentDeliveryTests",
      dependencies: [
        "ContentSigning", "ContentTrust",
        "ContentModel", "PropertyLists", "ContentStore", "ContentTargets", "ContentReleases",
        "ContentCaches", "ContentPurging", "Hashing", "HTTPTransport", "Platform", "TestDelivery",
        "TestInputs", "TestReaders", "TestServers", "SystemC", "SharedGzip",
      ],
      exclude: ["Scripts"],
      swiftSettings: strict),
    .testTarget(
      name: "DeliveryServerTests",
      dependencies: [
        "ContentClient", "ContentClientTesting", "ContentModel", "ContentTargets",
        "ContentReleases", "ContentCaches", "ContentPurging", "ContentTrust",
        "ContentStore", "Hashing", "HTTPTransport", "Parallel", "Platform", "PropertyLists",
        "SharedValues", "SiteFiles", "TestDelivery", "TestInputs", "TestReaders", "TestServers",
        "SystemC", "SharedGzip",
      ],
      swiftSettings: strict),
    tests(
      "ContentPreview", exclude: ["Browser", "Museum"],
      [
        "ContentModel", "PropertyLists", "Diagnostics", "ContentSource", "ContentCompiler",
        "ContentReports", "ContentStore", "ContentBuild", "ContentPreviewServer", "TestServers",
        "TranslationFiles", "Hashing", "SystemC",
      ]),
    .testTarget(
      name: "TestCommands",
      dependencies: [
        "ContentModel", "PropertyLists", "ContentTargets", "ContentReleases", "SystemC",
        "TestServers",
      ],
      exclude: ["Scripts"],
      swiftSettings: strict),
    // The example app's libraries: tests link its program with them, so that the app is not built a
    // second time.
    .testTarget(
      name: "ShopScreens", dependencies: ["ContentClient"],
      path: "Examples/flowershop/Sources/ShopScreens", swiftSettings: strict),
    .testTarget(
      name: "ShopTerminal", dependencies: ["ShopScreens", "ContentClient"],
      path: "Examples/flowershop/Sources/ShopTerminal", swiftSettings: strict),
    .testTarget(
      name: "FlowerShopTests",
      dependencies: [
        "ShopScreens", "ShopTerminal", "ContentClient", "ContentClientTesting", "Hashing",
        "PropertyLists", "SystemC",
      ],
      swiftSettings: strict),
    tests("ContentSettings", ["ContentTrust", "Diagnostics", "SystemC", "TestServers"]),
    tests(
      "Notifications",
      [
        "CommandReports", "ContentModel", "ContentSettings", "Diagnostics", "Programs",
        "PropertyLists", "SystemC", "TestServers",
      ]),
    tests(
      "ContentSigning",
      [
        "ContentModel", "ContentSettings", "ContentTrust", "Diagnostics", "Hashing", "SystemC",
        "TestInputs", "TestServers",
      ]),
    .testTarget(
      name: "ContentcTests",
      dependencies: [
        "contentc", "contentc-preview", "CommandParts", "CommandReports", "ContentcCommands",
        "ContentBuild", "ContentClient", "ContentClientTesting", "ContentModel", "Diagnostics",
        "PropertyLists", "ContentStore", "ContentTargets", "ContentReleases", "ContentCaches",
        "ContentPurging", "ContentCompiler", "ContentPreview", "Hashing", "HTTPTransport",
        "ContentTrust", "Platform", "TestCommands", "TestInputs", "TestReaders", "TestServers",
        "TestSigning", "SystemC", "TranslationFiles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandServerTests",
      dependencies: [
        "contentc", "contentc-preview", "ContentBaking", "ContentcCommands", "ContentModel",
        "PropertyLists", "ContentTargets", "ContentReleases", "ContentTrust", "HTTPTransport",
        "Platform", "SharedGzip", "ShopTerminal", "TestCommands", "TestDelivery", "TestInputs",
        "TestReaders", "TestServers", "SystemC",
      ],
      swiftSettings: strict),
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
    "ContentReports", "ContentResolution", "ContentSource", "ContentStore", "ContentTranslations",
    "ContentTrust", "Diagnostics", "Geography", "HTTPTransport", "Hashing", "Markdown", "Parallel",
    "Patterns", "Placeholders", "Platform", "PropertyLists", "PseudoLocales", "ReaderFiles",
    "RichText", "SharedGzip", "SharedValues", "SiteFiles", "SourceYAML", "SystemC",
    "TranslationFiles", "YAMLEditing",
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
