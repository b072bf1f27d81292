extension Starter {
  static let croissant = """
    title: Butter croissant
    price: 2.4
    story: Folded by hand, twenty-seven layers, out of the oven at seven.
    allergens: [gluten, milk, egg]

    """

  static let croissantInFrench = """
    # French says what differs; the price and the rest come from croissant.yaml.
    title: Croissant au beurre

    """

  static let sourdough = """
    title: Sourdough loaf
    price: 6.5
    story: Rye and wheat, raised for a day and a night.
    allergens: [gluten]

    """

  static let home = """
    title: Fresh this morning
    featured: [product/croissant, product/sourdough]

    """

  static let homeOnTablets = """
    # On tablets only: there is room for two columns.
    columns: 2

    """

  static let strings = """
    # Texts of the app itself. The first key is the locale; keys that another locale lacks come from here.
    en:
      welcome: Welcome
      cart:
        add: Add to basket
        empty: Your basket is empty

    """

  static let stringsInFrench = """
    fr:
      welcome: Bienvenue
      cart:
        add: Ajouter au panier

    """
}
