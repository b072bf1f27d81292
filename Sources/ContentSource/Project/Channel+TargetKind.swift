import ContentModel

extension Channel {
  /// A kind of target.
  package enum TargetKind: CaseIterable, Sendable {
    case folder, s3, rclone

    /// The facts about a kind that messages, checks and documents need.
    package struct Facts {
      /// The beginning of the kind's addresses.
      ///
      /// It is empty for a folder: an address without the beginning of another kind is a folder.
      let prefix: String
      /// The form of the kind's addresses, as a phrase in messages.
      package let form: String
      /// What publishers must know, for a table in publishing.md.
      package let summary: String
      /// How an address is used, for example as a path, for a table in security.md.
      ///
      /// The author of a proposal can choose the address.
      package let usage: String
      /// What is checked about an address, for a table in security.md.
      package let check: String
      /// Returns the first rule that an address breaks; `nil` if it breaks none.
      let brokenRule: (_ address: String) -> String?
    }

    package var facts: Facts {
      switch self {
      case .folder:
        Facts(
          prefix: "", form: "a folder",
          summary: "locked during a publication; `.gz` files beside objects, for servers that"
            + " deliver precompressed files",
          usage: "path",
          check: "may be anywhere; names below it are checked, links below it are refused",
          brokenRule: Self.brokenRule(ofFolder:))
      case .s3:
        Facts(
          prefix: "s3://", form: "s3://BUCKET/PREFIX",
          summary: "conditional writes; objects that gzip makes smaller are stored with"
            + " `Content-Encoding: gzip`",
          usage: "address of requests",
          check: "bucket's, key's and region's characters; endpoint is scheme, host, port, plain"
            + " path",
          brokenRule: Self.brokenRule(ofBucket:))
      case .rclone:
        Facts(
          prefix: "rclone:", form: "rclone:REMOTE:PATH",
          summary: "a remote that your rclone has configured, by its name (`rclone listremotes`);"
            + " settings instead of a name could run programs and are refused. It has no conditional"
            + " writes, so `--single-writer` is needed: it states that no other publisher runs. The"
            + " remote decides whether readers can see a partly written file",
          usage: "arguments of `rclone`, after `--`",
          check: "name `[A-Za-z0-9_.-]+`, not beginning with `-`; path without `..` and control"
            + " characters",
          brokenRule: { RcloneAddress($0) == nil ? RcloneAddress.rule : nil })
      }
    }

    package init(of address: String) {
      self =
        Self.allCases.first { $0 != .folder && address.hasBytePrefix($0.facts.prefix) } ?? .folder
    }

    /// The forms of all kinds, such as “a folder, s3://BUCKET/PREFIX or rclone:REMOTE:PATH”.
    package static var forms: String {
      let forms = allCases.map(\.facts.form)
      return forms.dropLast().joined(separator: ", ") + " or " + (forms.last ?? "")
    }

    private static func brokenRule(ofBucket address: String) -> String? {
      do { _ = try S3Address(address) } catch { return "be the address of a bucket: \(error.rule)" }
      return nil
    }

    private static func brokenRule(ofFolder path: String) -> String? {
      let scheme = path.prefix { $0 != ":" }
      if scheme.count < path.count,
        scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-_.".contains($0) })
      {
        return "be \(forms); '\(scheme):…' is none of them"
      }
      if path.hasBytePrefix("~") || path.contains("$") {
        return "be a path without '~' or variables, which are not expanded; write the whole path"
      }
      let names = path.split(separator: "/").filter { $0 != "." }
      return names.isEmpty ? "be a folder of its own, such as site" : nil
    }
  }
}
