// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "contentc", path: "../..")],
  targets: [
    .executableTarget(
      name: "ClientBenchmark",
      dependencies: [
        .product(name: "ContentClient", package: "contentc"),
        .product(name: "ContentModel", package: "contentc"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
