import Testing

@testable import ContentModel

@Suite struct CountryTests {
  @Test func includesISO3166AndKosovo() {
    #expect(Country.all.count == 250)
    #expect(Country.all.map(\.code) == Country.all.map(\.code).sorted())
    #expect(Country.all.allSatisfy { Country.isAssigned($0.code) && !$0.name.isEmpty })
    for code in ["XX", "EN", "UK", "EU", "gb", "G", "GBR", "", "ZZ", "AN", "É"] {
      #expect(!Country.isAssigned(code))
    }
  }

  /// CLDR has a few regions that ISO 3166-1 only reserves.
  @Test func includesOnlyRegionsOfCLDR() {
    let regions = Set(CLDR.regions.all.map(\.key).filter { $0.utf8.count == 2 })
    #expect(Set(Country.all.map(\.code)).isSubset(of: regions))
    let reserved = regions.subtracting(Country.all.map(\.code))
    #expect(reserved.isSubset(of: ["AC", "CQ", "DG", "EA", "IC", "TA"]), "\(reserved)")
  }

  @Test(arguments: [
    ("UK", "GB"), ("gb", "GB"), ("840", "US"), ("SU", nil), ("germany", "DE"), ("Kosovo", "XK"),
    ("DD", "DE"), ("USA", "US"), ("deu", "DE"),
    ("XYZ", nil), ("EN", nil), ("", nil), ("Atlantis", nil),
  ])
  func findsACountryByOtherNames(text: String, code: String?) {
    #expect(Country(meant: text)?.code == code)
  }
}
