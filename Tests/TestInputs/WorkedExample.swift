/// A project with one entry and its overlays.
package enum WorkedExample {
  /// A file, by its path in the folder of the project.
  package typealias File = (path: String, text: String)

  /// The files without `zh-Hant`, which build.
  package static let building = files(locales: "[en, en-GB, fr, fr-CA]", fallback: "")

  /// The files with `zh-Hant`, whose chain ends before English.
  package static let failing = files(
    locales: "[en, en-GB, fr, fr-CA, zh-Hant]",
    fallback: "fallback:\n  zh-Hant: [zh-Hant]            # ends here: never English\n")

  private static func files(locales: String, fallback: String) -> [File] {
    [
      ("content/content.yaml", project(locales, fallback)),
      ("content/datatypes/product.yaml", datatype),
      ("content/entries/product/country-charm.yaml", base),
      ("content/entries/product/country-charm.fr.yaml", french),
      ("content/entries/product/country-charm@ipad.yaml", ipad),
      ("content/entries/product/country-charm.fr-CA.yaml", "care: null\n"),
    ]
  }

  /// Returns texts by their paths in the content folder.
  package static func contentTexts(_ files: [File]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: files.map { (String($0.path.dropFirst("content/".count)), $0.text) })
  }

  private static func project(_ locales: String, _ fallback: String) -> String {
    """
    app: flowershop
    sourceLocale: en
    locales: \(locales)
    \(fallback)devices:
      phone: {}                     # parent is the root, `any`
      tablet: {}
      ipad: {parent: tablet}
    ttl: {app: 10m, edge: 5m, origin: 0s}
    stalenessLimit: 30m
    bundles:
      catalog: {include: product/*, projection: light, startup: true}
      product: {include: product/*, split: entry}      # one bundle per entry: `product/country-charm`
    channels:
      qa: {target: site}
      production:
        target: s3://flowers-content/v1
        url: https://content.example.com/v1
        cdn:
          - fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN}     # names of environment variables

    """
  }

  private static let datatype = """
    ttl: 1h
    fields:
      title: {type: string, required: true, localized: true, maxLength: 60}
      price: {type: number, required: true, min: 0}
      care: {type: text, localized: true}
      badges:
        type: list
        of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}, height: {type: integer}}}
    projections:
      light: [title, price]

    """

  private static let base = """
    title: Country Charm Basket
    price: 39.99
    care: Keep cool.
    badges:
      - {id: new, label: New, height: 30}

    """

  private static let french = """
    title: Panier champêtre
    badges:
      - {id: new, label: Nouveau}

    """

  private static let ipad = """
    title: Country Charm Basket, Large
    badges:
      - {id: new, height: 45}

    """
}
