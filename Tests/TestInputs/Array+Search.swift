import Foundation

extension [UInt8] {
  /// Returns the index where other bytes begin for the first time; `nil` if they do not occur.
  ///
  /// Tests are compiled without optimization, in which a loop over the bytes takes a hundred times
  /// as long as Foundation's search.
  package func firstIndex(of wanted: [UInt8]) -> Int? {
    Data(self).range(of: Data(wanted))?.lowerBound
  }
}
