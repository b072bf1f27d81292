// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "property-lists",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "contentc", path: "../..")],
  targets: [
    .systemLibrary(name: "CPropertyList", pkgConfig: "libplist-2.0", providers: [.apt(["libplist-dev"])]),
    .executableTarget(
      name: "PropertyListBenchmark",
      dependencies: [
        "CPropertyList", .product(name: "PropertyLists", package: "contentc"),
        .product(name: "ContentModel", package: "contentc"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
