/// A shop with any number of products, in three locales and on three devices.
enum SmallShop {
  static func files(products: Int, adjective: String = "Good", in folder: String) -> [(
    path: String, text: String
  )] {
    let project = [
      (
        path: "\(folder)/content.yaml",
        text: """
        app: shop
        sourceLocale: en
        locales: [en, fr, de]
        devices: {phone: {}, tablet: {}}
        bundles:
          all: {include: product/*}
          each: {include: product/*, split: entry}

        """
      ),
      (
        path: "\(folder)/datatypes/product.yaml",
        text:
          "fields:\n  title: {type: string, localized: true, required: true}\n  price: {type: number}\n"
      ),
    ]
    return project
      + (0..<products).flatMap { number in
        [
          (
            path: "\(folder)/entries/product/p\(number).yaml",
            text: "title: \(adjective) product \(number)\nprice: \(number)\n"
          ),
          (
            path: "\(folder)/entries/product/p\(number).fr.yaml",
            text: "title: Produit \(number) (\(adjective))\n"
          ),
        ]
      }
  }
}
