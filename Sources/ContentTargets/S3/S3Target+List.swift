import ContentModel
import HTTPTransport

extension S3Target {
  package func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    var files: [ListedFile] = []
    var token: String?
    repeat {
      guard files.count <= Self.mostFiles else {
        throw TargetError(
          .failed,
          "\(name) lists more than \(Self.mostFiles) files: give contentc a prefix of its own")
      }
      let page = try page(below: prefix, after: token)
      files += page.files
      guard page.next == nil || page.next != token else { throw unreadable() }
      token = page.next
    } while token != nil
    return files.sorted { $0.key.precedesInBytes($1.key) }
  }

  /// The largest number of listed files: a faulty server may never end its list.
  private static let mostFiles = 5_000_000

  package func folders() throws(TargetError) -> [String] {
    var names: [String] = []
    var token: String?
    repeat {
      let page = try page(below: "", after: token, onlyTop: true)
      names += page.folders
      guard names.count <= Self.mostFiles else { throw unreadable() }
      guard page.next == nil || page.next != token else { throw unreadable() }
      token = page.next
    } while token != nil
    return names
  }

  private func page(
    below prefix: String, after token: String?, onlyTop: Bool = false
  ) throws(TargetError) -> (files: [ListedFile], folders: [String], next: String?) {
    var query = [("list-type", "2"), ("prefix", place(prefix))]
    if onlyTop { query.append(("delimiter", "/")) }
    if let token { query.append(("continuation-token", token)) }
    var request = S3Request(.get, key: "", query: query)
    request.answerLimit = S3Request.pageLimit
    let answer = try bucket.ask(request)
    guard answer.status == 200 else { throw bucket.error(answer, to: request) }
    guard let root = AmazonXML(answer.body), root.name == "ListBucketResult" else {
      throw unreadable()
    }
    var files: [ListedFile] = []
    for item in root.children where item.name == "Contents" {
      if let file = try file(item) { files.append(file) }
    }
    let folders = root.children.filter { $0.name == "CommonPrefixes" }.compactMap { item in
      item["Prefix"].map {
        String($0.text.dropFirst(bucket.location.prefix.count).prefix { $0 != "/" })
      }
    }
    guard root["IsTruncated"]?.text == "true" else { return (files, folders, nil) }
    guard let next = root["NextContinuationToken"]?.text, !next.isEmpty else { throw unreadable() }
    return (files, folders, next)
  }

  /// Returns a listed file; `nil` for the marker that some tools write for a folder.
  private func file(_ item: AmazonXML) throws(TargetError) -> ListedFile? {
    guard let key = item["Key"]?.text, key.hasPrefix(bucket.location.prefix),
      let size = item["Size"].flatMap({ Int($0.text) }),
      let modified = item["LastModified"].flatMap({ Instant(rfc3339: $0.text) })
    else { throw unreadable() }
    guard !key.hasSuffix("/") else { return nil }
    return ListedFile(
      key: String(key.dropFirst(bucket.location.prefix.count)), size: size, modified: modified)
  }

  private func unreadable() -> TargetError {
    TargetError(
      .failed,
      "\(name) answers with a list that cannot be read: check that the endpoint is one of S3")
  }
}
