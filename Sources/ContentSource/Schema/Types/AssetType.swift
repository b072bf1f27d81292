import YAML

/// A file below `assets/`.
enum AssetType: ScalarType {
  static let name = "asset"
  static let namesElsewhere = ["image", "file", "picture"]
  static let accepts = "a path below `assets/`, without a scale"
  static let readersGet = "a dictionary, see [output](output.md#assets)"
  static let example = "products/country-charm.png"

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    .asset(node.text)
  }
}
