import ContentModel
import HTTPTransport
import XML

extension S3Target {
  package func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try items(below: prefix, file).sorted { $0.key.precedesInBytes($1.key) }
  }

  package func names(below prefix: String) throws(TargetError) -> [String] {
    try items(below: prefix, key).sorted { $0.precedesInBytes($1) }
  }

  /// Returns what `read` makes of each file in the bucket's list, in any order, without `nil`.
  private func items<Item>(
    below prefix: String, _ read: (XMLTree) throws(TargetError) -> Item?
  ) throws(TargetError) -> [Item] {
    var items: [Item] = []
    var token: ExactString?
    repeat {
      guard items.count <= Self.mostFiles else {
        throw TargetError(
          .failed,
          "\(name) lists more than \(Self.mostFiles) files: give contentc a prefix of its own")
      }
      let page = try page(below: prefix, after: token)
      for file in page.files {
        if let item = try read(file) { items.append(item) }
      }
      guard page.next == nil || page.next != token else { throw unreadable() }
      token = page.next
    } while token != nil
    return items
  }

  /// The largest number of listed files: a faulty server may never end its list.
  private static let mostFiles = 5_000_000

  package func folders() throws(TargetError) -> [String] {
    var names: [String] = []
    var token: ExactString?
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
    below prefix: String, after token: ExactString?, onlyTop: Bool = false
  ) throws(TargetError) -> (files: [XMLTree], folders: [String], next: ExactString?) {
    var query = [("list-type", "2"), ("prefix", place(prefix))]
    if onlyTop { query.append(("delimiter", "/")) }
    if let token { query.append(("continuation-token", token.text)) }
    var request = S3Request(.get, key: "", query: query)
    request.answerLimit = S3Request.pageLimit
    let answer = try bucket.ask(request)
    guard answer.status == 200 else { throw bucket.error(answer, to: request) }
    guard let root = XMLTree(answer.body), root.name == "ListBucketResult" else {
      throw unreadable()
    }
    let files = root.children.filter { $0.name == "Contents" }
    let prefix = bucket.location.prefix
    let folders = root.children.filter { $0.name == "CommonPrefixes" }.compactMap { item in
      item["Prefix"].flatMap {
        $0.text.hasBytePrefix(prefix)
          ? String($0.text.dropping(prefix).prefix { $0 != "/" }) : nil
      }
    }
    guard root["IsTruncated"]?.text == "true" else { return (files, folders, nil) }
    guard let next = root["NextContinuationToken"]?.text, !next.isEmpty else { throw unreadable() }
    return (files, folders, ExactString(next))
  }

  /// Returns a listed file; `nil` for the marker that some tools write for a folder.
  private func file(_ item: XMLTree) throws(TargetError) -> ListedFile? {
    guard let size = item["Size"].flatMap({ Int($0.text) }),
      let modified = item["LastModified"].flatMap({ Instant(rfc3339: $0.text) })
    else { throw unreadable() }
    return try key(item).map { ListedFile(key: $0, size: size, modified: modified) }
  }

  /// Returns the key of a listed file; `nil` for the marker that some tools write for a folder.
  private func key(_ item: XMLTree) throws(TargetError) -> String? {
    guard let key = item["Key"]?.text, key.hasBytePrefix(bucket.location.prefix) else {
      throw unreadable()
    }
    return key.hasByteSuffix("/") ? nil : key.dropping(bucket.location.prefix)
  }

  private func unreadable() -> TargetError {
    TargetError(
      .failed,
      "\(name) answers with a list that cannot be read: check that the endpoint is one of S3")
  }
}
