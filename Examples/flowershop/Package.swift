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

let client = Target.Dependency.product(name: "ContentClient", package: "contentc")

// The tests of both libraries are in this repository's own package: `FlowerShopTests`.
let package = Package(
  name: "flowershop",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "flowershop", targets: ["flowershop"])],
  dependencies: [.package(name: "contentc", path: "../..")],
  targets: [
    .target(name: "ShopScreens", dependencies: [client], swiftSettings: strict),
    .target(
      name: "ShopTerminal", dependencies: ["ShopScreens", client], swiftSettings: strict),
    .executableTarget(
      name: "flowershop", dependencies: ["ShopTerminal"], swiftSettings: strict),
  ]
)
