public import ContentModel

/// A change of what a client shows.
///
/// ```swift
/// for await update in updates { show(update.snapshot) }
/// ```
public struct ContentUpdate: Sendable {
  /// The reason of a change.
  ///
  /// ```swift
  /// if update.reason == .purge { log("content was withdrawn") }
  /// ```
  public enum Reason: Hashable, Sendable {
    /// A release arrived, or bundles that the shown one lacked.
    case release
    /// A purge hides entries or files. The release without them is another update, `.release`.
    case purge
    /// Entries or list items appeared or disappeared by their dates or lifetimes, after
    /// ``ContentClient/ContentClient/start()``.
    case time
    /// The reader's language, device, country or version changed.
    case context
    /// Maintenance began or ended, or the app became too old.
    case state
  }

  /// The content to show from now on.
  ///
  /// ```swift
  /// let rose = update.snapshot.entry("product/rose")
  /// ```
  public let snapshot: ContentSnapshot
  /// The state of the content from now on.
  ///
  /// ```swift
  /// if update.state == .withdrawn { showNothingHere() }
  /// ```
  public let state: ContentState
  /// The changed entries: everything for the reasons `.time` and `.purge`, nothing for `.state`.
  ///
  /// ```swift
  /// if case .entries(let changed) = update.changes.extent { show(changed.updated) }
  /// ```
  public let changes: ContentChanges
  /// The reason of a change.
  ///
  /// ```swift
  /// if update.reason == .release { log("release \(update.snapshot.release)") }
  /// ```
  public let reason: Reason
}

/// The state of an app's content: content, or why there is none.
///
/// ```swift
/// switch client.state {
/// case .content: show(client.snapshot)
/// case .maintenance(let notice): show(notice["title"]?.text)
/// case .updateRequired: showLinkToStore()
/// case .withdrawn: showNothingHere()
/// case .expired: showOfflineMark()
/// case .empty: showProgress()
/// }
/// ```
public enum ContentState: Hashable, Sendable {
  /// The app is older than the publisher allows.
  case updateRequired(minimum: AppVersion)
  /// The publisher switched to maintenance. The fields are those of `maintenance.yaml`, in the
  /// reader's language. They are empty until they are loaded, which is an update, too.
  case maintenance(Members)
  /// Everything that could be shown was purged. That may last: the app has nothing to show.
  case withdrawn
  /// The lifetimes of all stored entries (`ttl` of their bundles and datatypes) have ended, since
  /// there was no check for so long. They are shown again after the next one.
  case expired
  /// There is content.
  case content
  /// There is no content: none was loaded yet.
  case empty

  /// `true` unless the app shows something else than content.
  var isContent: Bool {
    switch self {
    case .updateRequired, .maintenance: false
    case .withdrawn, .expired, .content, .empty: true
    }
  }
}
