import ContentModel
import SystemC

#if os(Linux)
  /// The watcher for this system.
  typealias SystemWatcher = InotifyWatcher

  /// A watcher that gets the changes below a folder from the kernel: inotify(7).
  ///
  /// A class, since it owns a file descriptor. Unchecked, since only one thread at a time uses it.
  final class InotifyWatcher: @unchecked Sendable {
    private let root: String
    private let remark: (String) -> Void
    private let descriptor: Int32
    /// The folder of each watch.
    private var folders: [Int32: String] = [:]
    private var isRootWatched = false
    /// `true` if there is a symbolic link: one file may then have several paths.
    private var hasLinks = false
    private var pending: FolderChange?
    /// The watcher that is used after a limit of the kernel for each user is reached.
    private var fallback: PollingWatcher?

    /// Starts to watch a folder; `remark` is called once if changes will be seen late.
    init(_ root: String, remark: @escaping (String) -> Void) {
      (self.root, self.remark) = (root, remark)
      descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      if descriptor < 0 { fallBack(errno: errno) } else { watchRoot() }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits for the next change; returns `nil` if there is none in time.
    func next(within time: Duration) -> FolderChange? {
      let deadline = ContinuousClock.now + time
      while pending == nil {
        if let fallback { return fallback.next(within: max(.zero, deadline - .now)) }
        // The kernel does not report that a missing folder is there again.
        if !isRootWatched, watchRoot() { return .finished(.anything) }
        let left = deadline - ContinuousClock.now
        guard left > .zero else { return nil }
        wait(isRootWatched ? left : min(left, .milliseconds(50)))
        read()
      }
      defer { pending = nil }
      return pending
    }

    /// Releases all watches for other programs, and polls from now on.
    private func fallBack(errno code: Int32) {
      for watch in folders.keys { inotify_rm_watch(descriptor, watch) }
      folders = [:]
      fallback = PollingWatcher(root, interval: .seconds(1))
      remark(WatchLimit.remark(errno: code))
    }

    private func wait(_ time: Duration) {
      var pollable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // At least one millisecond: zero would be a busy loop.
      poll(&pollable, 1, max(1, Int32((time / .milliseconds(1)).rounded(.up))))
    }

    private func read() {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = SystemC.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        buffer.withUnsafeBytes { handle(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      }
    }

    private func handle(_ events: UnsafeRawBufferPointer) {
      let headerSize = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + headerSize <= events.count {
        let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = events[(offset + headerSize)..<(offset + headerSize + Int(event.len))].prefix {
          $0 != 0
        }
        offset += headerSize + Int(event.len)
        handle(event, name: String(decoding: name, as: UTF8.self))
      }
    }

    private func handle(_ event: inotify_event, name: String) {
      let mask = event.mask
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { return rescan() }
      guard let folder = folders[event.wd] else { return }
      if mask & UInt32(IN_IGNORED) != 0 {
        folders[event.wd] = nil
        if folder.hasSameBytes(as: root) { isRootWatched = false }
        return add(.anything)
      }
      if mask & UInt32(IN_MOVE_SELF) != 0, folder.hasSameBytes(as: root) { return rescan() }
      // Dotfiles are no content; editors keep swap files in them.
      guard !name.hasBytePrefix(".") else { return }
      let isFolder = mask & UInt32(IN_ISDIR) != 0
      if isFolder, mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { watch("\(folder)/\(name)") }
      if isFolder || name.isEmpty { return add(.anything) }
      if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0, Self.isLink("\(folder)/\(name)") {
        hasLinks = true
      }
      let path = "\(folder)/\(name)".utf8.dropFirst(root.utf8.count + 1)
      add(
        hasLinks ? .anything : .files([ExactString(String(Substring(path)))]),
        isOpen: mask & UInt32(IN_CREATE | IN_MODIFY) != 0)
    }

    private func add(_ change: ContentChange, isOpen: Bool = false) {
      var all = pending ?? FolderChange(content: change, isOpen: isOpen)
      all.content.formUnion(change)
      all.isOpen = all.isOpen && isOpen
      pending = all
    }

    private static func isLink(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Renews all watches, after events were lost or the folder was replaced.
    private func rescan() {
      for watch in folders.keys { inotify_rm_watch(descriptor, watch) }
      folders = [:]
      isRootWatched = false
      watchRoot()
      add(.anything)
    }

    @discardableResult
    private func watchRoot() -> Bool {
      isRootWatched = watch(root)
      return isRootWatched
    }

    /// Watches a folder and all folders below it.
    ///
    /// Files that are already in them belong to the change that led to this call.
    @discardableResult
    private func watch(_ folder: String) -> Bool {
      let number = inotify_add_watch(
        descriptor, folder, Self.interests(followingLinks: folder.hasSameBytes(as: root)))
      guard number >= 0 else {
        if fallback == nil, [ENOSPC, ENOMEM].contains(errno) { fallBack(errno: errno) }
        return false
      }
      folders[number] = folder
      guard let stream = opendir(folder) else { return true }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let type = Int(entry.pointee.d_type)
        if type == Int(DT_LNK) { hasLinks = true }
        guard type == Int(DT_DIR) || type == Int(DT_UNKNOWN) else { continue }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasBytePrefix("."), fallback == nil { watch("\(folder)/\(name)") }
      }
      return true
    }

    private static func interests(followingLinks: Bool) -> UInt32 {
      let events =
        IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE
        | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF
        | IN_ONLYDIR | IN_EXCL_UNLINK
      return UInt32(followingLinks ? events : events | IN_DONT_FOLLOW)
    }
  }
#else
  /// The watcher for this system, which has no inotify.
  typealias SystemWatcher = PollingWatcher

  extension PollingWatcher {
    convenience init(_ root: String, remark: (String) -> Void) {
      self.init(root, interval: .milliseconds(20))
    }
  }
#endif
