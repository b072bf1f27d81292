import ContentModel
import SystemC
import TestInputs
import Testing

@testable import ContentSource

/// The time zones in the program.
@Suite struct TimeZoneDatabaseTests {
  private let database = TimeZoneDatabase.current

  /// PyPI's version 2026.6 is the release 2026f.
  @Test func isOfTheReleaseThatTheScriptNames() throws {
    let requirement = try CheckedOutFiles.text("Scripts/time-zones.txt")
    let version = try #require(requirement.firstMatch(of: #/tzdata==(\d{4})\.(\d+) /#))
    let index = try #require(UInt8(version.2))
    let letter = Character(Unicode.Scalar(UInt8(ascii: "a") + index - 1))
    #expect(database.release == "\(version.1)\(letter)")
  }

  @Test func hasSortedNames() {
    let names = database.names
    #expect(names.count > 590)
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(names.allSatisfy { database.zone(named: $0)?.name == $0 })
  }

  @Test(arguments: [
    "", "Europe", "Europe/", "Europe/Pari", "Europe/Pariss", "europe/paris", "Europe/Paris\0",
    "zzz",
    "/Europe/Paris", "America/Argentina/ComodRivadavia/Longer", "Etc/GMT+13", "../Europe/Paris",
  ])
  func hasNoOtherNames(name: String) { #expect(database.zone(named: name) == nil) }

  @Test(arguments: [
    ("US/Pacific", "America/Los_Angeles"), ("Asia/Calcutta", "Asia/Kolkata"),
    ("Europe/Kiev", "Europe/Kyiv"), ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
    ("Europe/Amsterdam", "Europe/Brussels"), ("Zulu", "UTC"), ("Eire", "Europe/Dublin"),
  ])
  func hasFormerAndOtherNames(link: String, name: String) throws {
    let (zone, target) = (
      try #require(database.zone(named: link)), try #require(database.zone(named: name))
    )
    for moment in target.transitions(through: 2040) {
      #expect(zone.offset(at: moment) == target.offset(at: moment))
    }
  }

  @Test(arguments: [
    // Before the first transition, and seconds of local mean time.
    ("Europe/Paris", "1800-01-01T00:00:00Z", 561), ("Europe/Paris", "1911-03-10T23:50:38Z", 561),
    ("Europe/Paris", "1911-03-10T23:50:39Z", 0), ("Europe/Paris", "1940-06-14T22:00:00Z", 7_200),
    ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000),
    ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
    ("Europe/Dublin", "2400-07-01T00:00:00Z", 3_600),
    ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18_000),
    ("Asia/Kathmandu", "9999-01-01T00:00:00Z", 20_700), ("UTC", "0001-01-01T00:00:00Z", 0),
  ])
  func knowsOffsets(name: String, moment: String, offset: Int64) throws {
    let instant = try #require(Instant(rfc3339: moment))
    let seconds = Int64(instant.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
    #expect(database.zone(named: name)?.offset(at: seconds) == offset)
  }
}

/// The time zone of a machine.
@Suite struct MachineTimeZoneTests {
  @Test(arguments: [
    ("Europe/Paris", "Europe/Paris"), (":Europe/Paris", "Europe/Paris"), ("CET", "CET"),
    ("/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"), ("US/Pacific", "US/Pacific"),
    (":/usr/share/zoneinfo/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
    ("/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"), ("/opt/zoneinfo/right/UTC", "UTC"),
    // Names that no zone has: the machine's settings decide.
    ("", "Asia/Tokyo"), (":", "Asia/Tokyo"), ("Europe/Pariss", "Asia/Tokyo"),
    ("europe/paris", "Asia/Tokyo"), ("CET-1CEST,M3.5.0,M10.5.0/3", "Asia/Tokyo"),
    ("/usr/share/zoneinfo", "Asia/Tokyo"), ("/nowhere", "Asia/Tokyo"), ("../etc", "Asia/Tokyo"),
  ])
  func isThatOfTheVariable(variable: String, zone: String) throws {
    let machine = try Machine()
    machine.link("/usr/share/zoneinfo/Asia/Tokyo", as: "localtime")
    machine.write("Africa/Lagos\n", to: "timezone")
    #expect(machine.zone(variable: variable) == zone)
  }

  @Test(arguments: [
    "/usr/share/zoneinfo/Asia/Tokyo", "../usr/share/zoneinfo/Asia/Tokyo",
    "/var/db/timezone/zoneinfo/Asia/Tokyo", "/usr/share/zoneinfo/posix/Asia/Tokyo",
  ])
  func isThatOfTheLink(target: String) throws {
    let machine = try Machine()
    machine.link(target, as: "localtime")
    machine.write("Africa/Lagos\n", to: "timezone")
    #expect(machine.zone(variable: nil) == "Asia/Tokyo")
  }

  @Test func followsALinkToALink() throws {
    let machine = try Machine()
    for folder in ["zoneinfo", "zoneinfo/Asia"] { mkdir(machine.path(folder), 0o755) }
    machine.write("TZif", to: "zoneinfo/Asia/Tokyo")
    machine.link("zoneinfo/Asia/Tokyo", as: "chosen")
    machine.link("chosen", as: "localtime")
    #expect(machine.zone(variable: nil) == "Asia/Tokyo")
    #expect(machine.zone(variable: machine.path("localtime")) == "Asia/Tokyo")
  }

  @Test(arguments: [
    ("Africa/Lagos\n", "Africa/Lagos"), ("Africa/Lagos", "Africa/Lagos"),
    ("Africa/Lagos # text\n", "Africa/Lagos"), ("", "UTC"), ("\n", "UTC"), ("Nowhere/X\n", "UTC"),
  ])
  func isThatOfTheFileWithoutALink(text: String, zone: String) throws {
    let machine = try Machine()
    machine.write("TZif", to: "localtime")
    machine.write(text, to: "timezone")
    #expect(machine.zone(variable: nil) == zone)
  }

  @Test func isUTCWithoutSettings() throws {
    #expect(try Machine().zone(variable: nil) == "UTC")
  }

  /// A folder with the settings of a machine, removed at the end of its test.
  private final class Machine {
    private let root: String

    init() throws {
      var template = Array("/tmp/contentc-zones-XXXXXX".utf8CString)
      root = String(cString: try #require(mkdtemp(&template)))
      mkdir("\(root)/etc", 0o755)
    }

    deinit {
      for name in [
        "etc/localtime", "etc/timezone", "etc/chosen", "etc/zoneinfo/Asia/Tokyo",
        "etc/zoneinfo/Asia", "etc/zoneinfo", "etc", "",
      ] {
        remove("\(root)/\(name)")
      }
    }

    func path(_ name: String) -> String { "\(root)/etc/\(name)" }

    func link(_ target: String, as name: String) { symlink(target, path(name)) }

    func write(_ text: String, to name: String) {
      guard let file = fopen(path(name), "w") else { return }
      fputs(text, file)
      fclose(file)
    }

    func zone(variable: String?) -> String {
      TimeZoneDatabase.current.zoneOfMachine(variable: variable, root: root)
    }
  }
}
