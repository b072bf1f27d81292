import TestInputs
import TestServers
import Testing

/// Compares the recorded signatures with those of the libraries that made them.
///
/// `CONTENTC_NIGHTLY=1 make golden` records the tables. The suites that test our own signatures
/// read the tables in each run.
@Suite(.nightly) struct SignedTableTests {
  @Test(arguments: [SignedTable.s3, .cloudFront, .edgeGrid])
  func librariesSignAsRecorded(table: SignedTable) throws {
    try CheckedOutFiles.expect(table.path, toBe: table.printed())
  }
}
