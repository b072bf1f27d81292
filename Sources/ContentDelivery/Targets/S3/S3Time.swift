import ContentModel

/// Moments as signatures write them.
enum S3Time {
  /// ISO 8601 in its basic form, such as `20130524T000000Z`, from seconds since 1970.
  static func basic(_ seconds: Int64) -> String {
    let extended = Instant(secondsSince1970: seconds).rfc3339
    return extended.filter { $0 != "-" && $0 != ":" }
  }
}
