import Testing

/// A text of the sample and its faulty replacement.
struct Slip: CustomTestStringConvertible, Sendable {
  var path: String
  var old: String
  var new: String
  /// The number of lines between the beginning of the text and the mistake.
  var linesAfter = 0

  var testDescription: String { "\(path): \(new)" }

  private init(_ path: String, _ old: String, _ new: String, linesAfter: Int = 0) {
    (self.path, self.old, self.new, self.linesAfter) = (path, old, new, linesAfter)
  }

  static let all = project + datatypes + products + entries + conditions + catalogs

  private static let project = [
    ("app: flowershop", "app: Flower Shop"), ("app: flowershop", "ap: flowershop"),
    ("sourceLocale: en", "sourceLocale: eo"),
    ("sourceLocale: en", "sourceLocale: en-US"),
    ("sourceLocale: en", "sourceLocale: english language"),
    ("sourceLocale: en", "sourceLocal: en"), ("locales: [en,", "locales: [e n,"),
    ("[en, en-GB,", "[en, en-GB, en-GB,"), ("[en, en-GB,", "[en en-GB,"),
    ("locales:", "locale:"), ("  en-GB: [en-GB, en]", "  en-GR: [en-GB, en]"),
    ("fallback:", "fallbak:"),
    ("ipad: {parent: tablet}", "ipad: {parent: tablets}"),
    ("ipad: {parent: tablet}", "ipad: {parents: tablet}"),
    ("devices:", "device:"), ("format: binary", "format: plist"), ("  app: 10m", "  app: 10 min"),
    ("  app: 10m", "  app: -10m"),
    ("  edge: 5m", "  edgee: 5m"), ("stalenessLimit: 30m", "stalenessLimit: 10m"),
    ("stalenessLimit: 30m", "stalenessLimit: 5m"),
    (#"minimumApp: "1.5""#, "minimumApp: new"),
    ("home: {include: screen/home,", "home: {include: screen/hom,"),
    ("home: {include: screen/home,", "home: {includes: screen/home,"),
    ("home: {include", "Home: {include"),
    ("projection: light", "projection: ligth"), ("sort: [category,", "sort: [categori,"),
    ("split: entry", "split: entries"),
    ("startup: true", "startup: yes"), ("ttl: 1d, format", "ttl: 1 day, format"),
    ("format: json", "format: jsn"),
    ("qa: {target: site}", "objects: {target: site}"), ("url: https:", "url: htps:"),
    ("- fastly:", "- fastli:"), ("en-GB, fr,", "en-GBB, fr,"), ("  en-GB: [en-GB, en]", "  en-GB:"),
    ("  en-GB: [en-GB, en]", "  en-GB: [en-GB, [en]]"),
  ].map { Slip("content.yaml", $0, $1) }

  private static let datatypes =
    [
      ("ttl: 1h", "ttl: 1hour"), ("fields:", "feilds:"),
      ("title: {type: string", "title: {type: sting"),
      ("required: true", "requird: true"), ("minLength: 2", "minLength: two"),
      ("max: 2000", "max: -1"),
      ("localized: true", "localized: on"), ("to: category", "to: categorie"),
      ("values: [USD", "value: [USD"), ("category: {type:", "category {type:"),
      ("category: {type:", "category:{type:"), ("category: {type:", "category: {type"),
      ("category: {type: ", "category: {type:"), ("localized: true", "localised: true"),
      ("of: {type: string, maxLength: 60}", "of: {type: sting, maxLength: 60}"),
      ("default: USD", "default: USS"), ("light: [title", "light: [titel"),
      (##"color: {type: color, default: "#C2185B""##, #"color: {type: color, default: red"#),
    ].map { Slip("datatypes/product.yaml", $0, $1) }
    + [
      Slip("datatypes/settings.yaml", #"pattern: "[A-Z][A-Z]""#, #"pattern: "[A-Z][A-Z""#),
      Slip("datatypes/step.yaml", "flow: true", "flow: yes"),
      Slip(
        "datatypes/product.yaml", "      height: {type: integer, min: 1}",
        "  height: {type: integer, min: 1}", linesAfter: 1),
      Slip("datatypes/step.yaml", "  cancelURL:", "cancelURL:"),
      Slip("datatypes/step.yaml", "  continueTitle:", "    continueTitle:"),
      Slip("datatypes/screen.yaml", "fields:\n", "  fields:\n"),
      Slip("datatypes/screen.yaml", "headline, body", "headline body"),
      Slip("datatypes/settings.yaml", "open: true", "open: on"),
      Slip("datatypes/settings.yaml", "open: true", "open: [true]"),
      Slip("datatypes/form.yaml", "      type: object", "      type: objject"),
    ]

  private static let products =
    [
      ("title: Country Charm Basket", "titel: Country Charm Basket"),
      ("title: Country Charm Basket", "title: [Country]"),
      ("title: Country Charm Basket", "title: C"), ("price: 39.99", "price: 39,99"),
      ("price: 39.99", "price: -1"),
      ("price: 39.99", "price: free"), ("category: category/baskets", "category: category/basket"),
      ("category: category/baskets", "category: product/bonsai"),
      ("category: category/baskets", "category: Baskets"),
      ("category: category/baskets", "category: product/baskets"),
      ("category: category/baskets", "category: screen/lost"),
      ("image: products/basket.png", "image: products/baskets.png"),
      (##"accent: "#9C6B30""##, #"accent: brown"#),
      ("height: 32", "height: 0"), ("height: 32", "heigth: 32"),
      ("{id: new, label: New", "{label: New"),
      ("{id: new, label: New, height: 30}", "{id: new, label: New, height: 5}"),
      ("pairsWith: [product/greeting-card", "pairsWith: [product/greetingcard"),
      ("2026-03-01T09:00", "2026-02-30T09:00"),
      ("Europe/Paris", "Europe/Pariss"), ("EUR: 38", "EUR: cheap"), ("highlights:", "highlight:"),
    ].map { Slip("entries/product/country-charm.yaml", $0, $1) }
    + [
      Slip("entries/product/country-charm.fr.yaml", "title: Panier", "titre: Panier"),
      Slip(
        "entries/product/country-charm.fr.yaml", "title: Panier champêtre",
        "title: Panier champêtre\nprice: 3",
        linesAfter: 1),
      Slip("entries/product/country-charm.fr.yaml", "{id: new, label", "{id: nouveau, label"),
      Slip(
        "entries/product/country-charm@ipad.yaml", "{id: new, height: 45}",
        "{id: new, height: tall}"),
    ]

  private static let entries =
    [
      ("mon: [\"08:00-19:00\"]", "mon: [\"8-19\"]"), ("latitude: 40.7331", "latitude: 140.7331"),
      ("latitude: 40.7331, ", ""), ("services: [delivery", "services: [delivry"),
      ("timeZone: America/New_York", "timeZone: New York"),
      ("  city: New York", "\tcity: New York"),
    ].map { Slip("entries/store.yaml", $0, $1) }
    + [
      // The error is at the first of nine aliases.
      Slip("entries/store.yaml", "hours: &city-hours", "hours: &cityhours", linesAfter: 21),
      Slip("entries/category.yaml", "roses:\n", "Roses:\n"),
      Slip("entries/category.yaml", "  position: 2", "  position: first"),
      Slip("entries/category.fr.yaml", "roses: {title", "rose: {title"),
      Slip("entries/settings.yaml", "home: screen/home", "home: screen/hom"),
      Slip("entries/settings.yaml", "giftCards: true", "giftCards: yes"),
      Slip("entries/screen/home.yaml", "type: header", "type: heading"),
      Slip("entries/screen/home.yaml", "{id: roses, type", "{id: bouquets, type"),
      Slip("entries/screen/home.yaml", "action: screen/terms", "action: screen/term"),
      Slip("entries/screen/home.yaml", "action: screen/terms", "action: terms"),
      Slip("entries/screen/home.yaml", "{id: roses, type", "{id roses, type"),
      Slip("entries/screen/home.yaml", "{id: roses, type", "{id:roses, type"),
      Slip("entries/screen/home.yaml", "{id: roses, type: row", "{id: roses, type row"),
      Slip("entries/screen/home.yaml", "{id: roses, type", "{id: [roses], type"),
      Slip("entries/screen/home.de.yaml", "{id: roses, title", "{id: {a: roses}, title"),
      Slip("entries/store.yaml", "latitude: 35.6490", "latitude:35.6490"),
      Slip("entries/category.yaml", "baskets:\n", ""),
      Slip("entries/product.fr.yaml", "tulip-cloud:\n", ""),
      Slip(
        "entries/product.pt-BR.yaml", "subtitle: \"Quarenta tulipas", "subtitle: Quarenta tulipas"),
      Slip("entries/settings.yaml", "name: larger-pictures,", "name: larger, pictures,"),
    ]

  private static let conditions =
    [
      ("when: {device: phone}", "when: {device: fone}"),
      ("when: {device: phone}", "when: {devices: phone}"),
      ("when: {device: phone}", "when: phone"), ("when: {device: phone}", "when: {device: }"),
      ("app: \">=2.0\"", "app: new"), ("until: 2030-12-24", "until: 2020-12-24"),
      ("from: 2025-11-15T00:00", "from: 15.11.2025"),
      ("when: {device: phone}", "when: {locale: eo}"),
      ("when: {device: phone}", "when: {country: UK}"),
    ].map { Slip("entries/screen/home.yaml", $0, $1) }
    + [
      ("when: {country: JP}", "when: {country: jp}"),
      ("when: {country: JP}", "when: {country: XX}"),
      ("when: {country: JP}", "when: {country: no}"),
      ("when: {country: JP}", "when: {country: EN}"),
      ("when: {country: JP}", "when: {contry: JP}"),
    ].map { Slip("entries/form/address.yaml", $0, $1) }
    + [
      "{country: UK}", "{country: no}", "{locale: eo}", "{device: fone}", "{app: new}",
      "{from: soon}", "{until: }",
      "{contry: FR}",
    ].map { Slip("entries/product/chocolate-truffles.yaml", "title: ", "when: \($0)\ntitle: ") }

  private static let catalogs = [
    Slip("strings/app.fr.yml", "fr:\n", "fr-FR:\n"),
    Slip("strings/app.fr.yml", "    add: Ajouter", "   add: Ajouter", linesAfter: 1),
    Slip("strings/app.fr.yml", "    search: Rechercher", "    add: Rechercher"),
    Slip("strings/app.fr.yml", "distance: \"à %{distance}\"", "distance: %{distance}"),
    Slip("strings/app.fr.yml", "    other: \"%{count}", "    othr: \"%{count}"),
    Slip("strings/app.en.yml", "en:\n", "- en:\n"),
    Slip("maintenance.yaml", "retryAfter: 120", "retryAfter: soon"),
  ]
}
