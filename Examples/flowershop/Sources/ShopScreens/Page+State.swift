package import ContentClient

extension Page {
  /// Replaces all pages while there is no content to show; `nil` if there is content.
  package init?(state: ContentState, isOffline: Bool) {
    switch state {
    case .content: return nil
    case .maintenance(let notice):
      self.init(
        title: notice["title"]?.text ?? "Maintenance",
        lines: [Line(notice["message"]?.text ?? "Please come back shortly.")])
    case .updateRequired(let minimum):
      self.init(
        title: "Update the app",
        lines: [Line("The shop needs version \(minimum) or later of this app.")])
    case .withdrawn:
      self.init(
        title: "Withdrawn",
        lines: [Line("The shop has withdrawn its content. The app asks for new content.")])
    case .expired:
      self.init(
        title: "Flower shop",
        lines: [Line("The stored content is too old. The app needs a connection.")])
    case .empty:
      self.init(
        title: "Flower shop",
        lines: [
          Line(isOffline ? "There is no connection, and nothing is stored yet." : "One moment…")
        ])
    }
  }

  /// Lists the changes since the start of the app.
  package init(changes: ChangeSummary) {
    self.init(title: "Changes since the start")
    if changes.isEverything { lines.append(Line("Everything is new.")) }
    for (name, ids) in changes.kinds {
      lines.append(Line("\(ids.count) \(name)", style: .headline))
      lines += ids.map { Line($0.text, link: .place(Place($0))) }
    }
    if !changes.others.isEmpty {
      lines.append(Line("Bundles that were not stored", style: .headline))
      lines += changes.others.map { Line($0.text) }
    }
    if lines.isEmpty { lines.append(Line("Nothing changed.")) }
  }
}
