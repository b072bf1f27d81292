/// A shop with everything that an edit can affect: overlays, conditions, catalogs, assets,
/// references and kinds of bundles.
enum EditingShop {
  static let files: [(path: String, text: String)] = [
    (
      "content/content.yaml",
      """
      app: shop
      sourceLocale: en
      locales: [en, fr, de]
      devices: {phone: {}, tablet: {}}
      bundles:
        all: {include: "**"}
        catalog: {include: product/*, projection: light, sort: [price]}
        each: {include: product/*, split: entry}
        start: {include: [screen/home, strings/*], startup: true}
        web: {include: product/*, format: json}

      """
    ),
    (
      "content/datatypes/product.yaml",
      """
      fields:
        title: {type: string, localized: true, required: true}
        note: {type: text, localized: true}
        price: {type: number, min: 0}
        picture: {type: asset}
        next: {type: reference, to: product}
        badges: {type: list, of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}}}}
      projections:
        light: [title, price, badges]

      """
    ),
    (
      "content/datatypes/screen.yaml",
      "fields:\n  first: {type: reference, to: product}\n  text: {type: string}\n"
    ),
    ("content/entries/screen/home.yaml", "first: product/rose\ntext: Welcome\n"),
    (
      "content/entries/product/rose.yaml",
      "title: Rose\nprice: 3\npicture: rose.bin\nnext: product/lily\n"
    ),
    ("content/entries/product/rose.fr.yaml", "title: Rose de France\n"),
    ("content/entries/product/rose@phone.yaml", "note: On a small screen\n"),
    (
      "content/entries/product.yaml",
      """
      lily: {title: Lily, price: 5, note: White, picture: lily.bin}
      tulip:
        title: Tulip
        price: 2
        badges:
          - {id: new, label: New, when: {until: 2030-01-01T00:00:00Z}}
          - {id: deal, label: Deal, when: {from: 2031-01-01T00:00:00Z, country: FR, embargo: true}}

      """
    ),
    (
      "content/entries/product/lilac.yaml",
      "title: Lilac\nprice: 4\npicture: lilac.bin\nwhen: {from: 2030-01-01T00:00:00Z, embargo: true}\n"
    ),
    ("content/assets/lilac.bin", "a lilac"),
    ("content/entries/product.de.yaml", "lily: {title: Lilie}\ntulip: {title: Tulpe}\n"),
    ("content/strings/app.en.yaml", "en: {hello: Hello, bye: Bye}\n"),
    ("content/strings/app.fr.yaml", "fr: {hello: Bonjour}\n"),
    ("content/assets/rose.bin", "a rose"),
    ("content/assets/lily.bin", "a lily"),
    ("content/maintenance.yaml", "title: Closed\nmessage: Back soon\n"),
  ]

  /// Edits as shell commands, each with the command that reverts it.
  static let edits: [(edit: String, undo: String)] = [
    (
      "sed -i 's/Rose/Rosa/' entries/product/rose.yaml",
      "sed -i 's/Rosa/Rose/' entries/product/rose.yaml"
    ),
    (
      "sed -i 's/White/Whyte/' entries/product.yaml", "sed -i 's/Whyte/White/' entries/product.yaml"
    ),
    (
      "sed -i 's/Lilie/Feuerlilie/' entries/product.de.yaml",
      "sed -i 's/Feuerlilie/Lilie/' entries/product.de.yaml"
    ),
    (
      "sed -i 's/Bonjour/Salut/' strings/app.fr.yaml",
      "sed -i 's/Salut/Bonjour/' strings/app.fr.yaml"
    ),
    (
      "sed -i 's/small/tiny/' entries/product/rose@phone.yaml",
      "sed -i 's/tiny/small/' entries/product/rose@phone.yaml"
    ),
    (
      "sed -i 's/price: 3/price: 9/' entries/product/rose.yaml",
      "sed -i 's/price: 9/price: 3/' entries/product/rose.yaml"
    ),
    (
      "echo 'note: null' >> entries/product/rose.fr.yaml",
      "sed -i /note/d entries/product/rose.fr.yaml"
    ),
    ("echo '# said' >> entries/product.yaml", "sed -i /said/d entries/product.yaml"),
    ("echo >> content.yaml", "sed -i '$d' content.yaml"),
    (
      "echo 'when: {country: FR}' >> entries/product/rose.yaml",
      "sed -i /when/d entries/product/rose.yaml"
    ),
    (
      "echo 'when: {device: phone}' >> entries/product/rose.fr.yaml",
      "sed -i /when/d entries/product/rose.fr.yaml"
    ),
    (
      "sed -i 's/until: 2030/until: 2029/' entries/product.yaml",
      "sed -i 's/until: 2029/until: 2030/' entries/product.yaml"
    ),
    (
      "sed -i 's/product.lily/product\\/tulip/' entries/product/rose.yaml",
      "sed -i 's/t\\/tulip/t\\/lily/' entries/product/rose.yaml"
    ),
    (
      "sed -i 's/product.lily/product\\/oak/' entries/product/rose.yaml",
      "sed -i 's/t\\/oak/t\\/lily/' entries/product/rose.yaml"
    ),
    (
      "sed -i 's/price: 2/price: -2/' entries/product.yaml",
      "sed -i 's/price: -2/price: 2/' entries/product.yaml"
    ),
    (
      "sed -i 's/rose.bin/lily.bin/' entries/product/rose.yaml",
      "sed -i 's/lily.bin/rose.bin/' entries/product/rose.yaml"
    ),
    ("echo 'red rose' > assets/rose.bin", "printf 'a rose' > assets/rose.bin"),
    ("echo 'red lily' > assets/lily.bin", "printf 'a lily' > assets/lily.bin"),
    ("sed -i 's/soon/later/' maintenance.yaml", "sed -i 's/later/soon/' maintenance.yaml"),
    ("echo 'oak: {title: Oak}' >> entries/product.yaml", "sed -i /oak/d entries/product.yaml"),
    (
      "mv entries/product/rose.fr.yaml entries/product/rose.de.yaml",
      "mv entries/product/rose.de.yaml entries/product/rose.fr.yaml"
    ),
    ("echo 'title: Ash' > entries/product/ash.yaml", "rm entries/product/ash.yaml"),
    ("mv entries/product/rose@phone.yaml ../away", "mv ../away entries/product/rose@phone.yaml"),
    (
      "sed -i 's/min: 0/min: 0.5/' datatypes/product.yaml",
      "sed -i 's/min: 0.5/min: 0/' datatypes/product.yaml"
    ),
    (
      "sed -i 's/sort: .price./sort: [-price]/' content.yaml",
      "sed -i 's/sort: .-price./sort: [price]/' content.yaml"
    ),
    ("echo stray > stray.txt", "rm stray.txt"),
  ]
}
