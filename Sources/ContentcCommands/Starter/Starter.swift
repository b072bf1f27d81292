/// The project that `init` creates.
enum Starter {
  /// A file of the project.
  struct File {
    /// The path below the project's folder.
    let path: String
    let text: String
  }

  /// The files of the project.
  static let files = [
    File(path: ".gitignore", text: "out/\n.contentc/\n"),
    File(path: "content/content.yaml", text: project),
    File(path: "content/datatypes/product.yaml", text: productDatatype),
    File(path: "content/datatypes/screen.yaml", text: screenDatatype),
    File(path: "content/entries/product/croissant.yaml", text: croissant),
    File(path: "content/entries/product/croissant.fr.yaml", text: croissantInFrench),
    File(path: "content/entries/product/sourdough.yaml", text: sourdough),
    File(path: "content/entries/screen/home.yaml", text: home),
    File(path: "content/entries/screen/home@tablet.yaml", text: homeOnTablets),
    File(path: "content/strings/app.en.yml", text: strings),
    File(path: "content/strings/app.fr.yml", text: stringsInFrench),
  ]
}

extension Starter {
  static let project = """
    # The project: who reads this content, how long caches may keep it, and which files it is cut into.
    app: bakery
    sourceLocale: en
    locales: [en, fr, fr-CA]          # fr-CA looks in fr, then in en

    devices:                          # the root is 'any': what an unknown device gets
      phone: {}
      tablet: {}

    ttl:
      app: 10m                        # how often an app looks for something new
      edge: 5m                        # how long a CDN may keep what it has
    stalenessLimit: 30m               # a build that needs longer to reach every reader fails

    bundles:
      home: {include: [screen/home, strings/app], startup: true}
      catalog: {include: product/*, projection: light, sort: [price]}
      product: {include: product/*, split: entry}      # one file per product

    channels:
      qa: {target: site}              # a folder beside content/

    """

  static let productDatatype = """
    # What a product is. Only localized fields may differ by locale.
    fields:
      title: {type: string, required: true, localized: true, maxLength: 60}
      price: {type: number, required: true, min: 0}
      story: {type: text, localized: true}
      allergens: {type: list, of: {type: choice, values: [gluten, milk, egg, nuts]}}
    projections:
      light: [title, price]           # for lists; the whole product for its own page

    """

  static let screenDatatype = """
    fields:
      title: {type: string, required: true, localized: true}
      columns: {type: integer, default: 1, min: 1, max: 6}
      featured: {type: list, of: {type: reference, to: [product]}}

    """
}
