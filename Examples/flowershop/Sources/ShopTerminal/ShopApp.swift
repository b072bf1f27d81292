import ContentClient
import ShopScreens

/// The app: it draws the page of the model, and obeys lines of input.
///
/// All work in the network runs in tasks of its own, whose ends are events, so that input never
/// waits. `run` is the whole of it.
struct ShopApp {
  private let client: ContentClient
  private let terminal: Terminal
  private var model: ShopModel
  /// The snapshot that the page shows: it stays until a newer one has the place's bundle.
  private var shown: ContentSnapshot
  private var page = Page(title: "")
  /// The lines of the last drawing, which a pipe gets only once.
  private var drawn: [String] = []
  private var notices: [String] = []
  private var isOffline = false
  /// The part of a refresh that arrived; `nil` without a refresh.
  private var received: RefreshTask.Progress?
  /// The bundles on their way.
  private var loading: Set<BundleName> = []
  /// The reasons for which bundles did not arrive; each command tries again.
  private var failures: [BundleName: ContentError] = [:]
  /// The number of tasks whose end a person waits for.
  private var awaited = 0
  /// The lines of a pipe that wait for the answers to those before.
  private var waiting: [String] = []
  private var isAtEnd = false
  /// The token of the first content.
  private var firstToken: ChangeToken?
  /// The token of the last update.
  private var lastToken: ChangeToken?
  private let events: AsyncStream<AppEvent>
  private let send: AsyncStream<AppEvent>.Continuation

  /// Opens the client, which needs no network.
  ///
  /// - Throws: `ContentError` if the configuration is wrong.
  init(_ configuration: ContentConfiguration, terminal: Terminal) throws(ContentError) {
    client = try ContentClient(configuration)
    self.terminal = terminal
    model = ShopModel(reader: configuration.context)
    shown = client.snapshot
    if shown.release > 0 { firstToken = client.changes(since: nil).token }
    (events, send) = AsyncStream.makeStream()
  }

  /// Runs until `quit`, or until the input has ended and all its lines are answered.
  mutating func run(_ input: LineInput) async {
    listen(to: input)
    // A progress bar is for a first start; later ones show stored content at once.
    if client.state == .empty { follow(client.refresh(.launch)) }
    client.start()
    defer { client.stop() }
    draw()
    for await event in events {
      guard handle(event) else { return }
      while awaited == 0, !waiting.isEmpty {
        guard obey(waiting.removeFirst()) else { return }
      }
      if isAtEnd, awaited == 0 { return }
    }
  }

  private func listen(to input: LineInput) {
    let (client, send) = (client, send)
    // The streams are opened here, not in the tasks, so that nothing is missed.
    let (updates, clientEvents) = (client.updates, client.events)
    Task { for await update in updates { send.yield(.update(update)) } }
    Task { for await event in clientEvents { send.yield(.client(event)) } }
    input.read(line: { send.yield(.line($0)) }, end: { send.yield(.endOfInput) })
  }

  // MARK: Events

  /// Takes an event; `false` ends the app.
  private mutating func handle(_ event: AppEvent) -> Bool {
    switch event {
    case .line(let line):
      let isNext = terminal.isInteractive || (awaited == 0 && waiting.isEmpty)
      guard !isNext else { return obey(line) }
      waiting.append(line)
    case .endOfInput: isAtEnd = true
    case .update(let update): show(update)
    case .client(let event): note(event)
    case .progress(let progress):
      received = progress
      terminal.showBar(
        terminal.painter.bar(received: progress.receivedBytes, total: progress.totalBytes))
    case .refreshed(let outcome):
      awaited -= 1
      say(about: outcome)
      received = nil
      draw()
    case .loaded(let bundle, let error):
      awaited -= 1
      loading.remove(bundle)
      failures[bundle] = error
      draw()
    case .picture(let result):
      awaited -= 1
      switch result {
      case .success(let path): terminal.add([terminal.painter.remark(path)])
      case .failure(let error): terminal.add([terminal.painter.remark(error.reason)])
      }
    }
    return true
  }

  /// Shows an update, which is both an event and the outcome of a refresh.
  private mutating func show(_ update: ContentUpdate) {
    if [.release, .context].contains(update.reason) {
      guard update.changes.token != lastToken else { return }
      lastToken = update.changes.token
    }
    firstToken = firstToken ?? update.changes.token
    let notice = Notice.text(
      release: update.snapshot.release, reason: update.reason,
      changes: ChangeSummary(update.changes))
    notices = [notice].compactMap(\.self)
    if let received { notices.append("Loaded \(received.receivedBytes / 1_000) kB.") }
    failures = [:]
    draw()
    // The page of this release was drawn: it does not end the app.
    client.markHealthy()
  }

  /// Notices whether the server can be reached: snapshots know their age only.
  private mutating func note(_ event: ContentEvent) {
    let wasOffline = isOffline
    switch event {
    case .looked(let status): isOffline = status == 0
    case .failed(let error) where error.kind == .unreachable: isOffline = true
    default: break
    }
    if isOffline != wasOffline { draw() }
  }

  private mutating func say(about outcome: RefreshOutcome) {
    switch outcome {
    case .updated(let update): return show(update)
    case .unchanged: notices = ["Nothing is new."]
    case .postponed(let seconds): notices = ["Please wait for \(Int(seconds.rounded(.up))) s."]
    case .failed(let error): notices = ["No new content: \(error.reason)."]
    }
  }

  // MARK: Commands

  /// Obeys a line; `false` ends the app.
  private mutating func obey(_ line: String) -> Bool {
    failures = [:]
    notices = []
    let work: ShopModel.Work
    do { work = model.obey(try Command(line), on: page) } catch {
      terminal.add([terminal.painter.remark(error.advice)])
      return true
    }
    switch work {
    case .draw:
      // It answers the line, even if nothing changed.
      drawn = []
      draw()
    case .refresh: follow(client.refresh(.user))
    case .select(let reader):
      wait { [client] in .refreshed(await client.select(reader)) }
    case .load(let picture):
      let snapshot = shown
      wait {
        do throws(ContentError) {
          return .picture(.success(try await snapshot.file(of: picture, scale: 2)))
        } catch { return .picture(.failure(error)) }
      }
    case .say(let lines): terminal.add(lines.map { terminal.painter.remark($0) })
    case .quit: return false
    }
    return true
  }

  // MARK: Work in the background

  /// Runs work whose end is an event.
  private mutating func wait(for work: @escaping @Sendable () async -> AppEvent) {
    awaited += 1
    let send = send
    Task { send.yield(await work()) }
  }

  /// Shows the progress of a refresh, and its end.
  private mutating func follow(_ task: RefreshTask) {
    let send = send
    wait {
      let bar = Task { for await part in task.progress { send.yield(.progress(part)) } }
      let outcome = await task.outcome
      bar.cancel()
      return .refreshed(outcome)
    }
  }

  private mutating func load(_ bundle: BundleName, of snapshot: ContentSnapshot) {
    guard loading.insert(bundle).inserted else { return }
    wait {
      do throws(ContentError) {
        _ = try await snapshot.entries(loading: bundle)
        return .loaded(bundle, nil)
      } catch { return .loaded(bundle, error) }
    }
  }

  // MARK: Drawing

  /// Draws the page; a pipe gets it only when it is complete, and if it changed.
  private mutating func draw() {
    page = currentPage()
    guard terminal.isInteractive || awaited == 0 else { return }
    let painter = terminal.painter
    var lines = painter.lines(of: page) + [""]
    if isOffline, let warning = shown.text("offline") { lines.append(painter.remark(warning)) }
    lines += notices.map { painter.remark($0) }
    lines.append(
      painter.remark(Notice.status(of: shown, for: model.reader, isOffline: isOffline)))
    if lines != drawn { terminal.show(lines) }
    drawn = lines
  }

  /// Returns the page to show, and begins to load its bundle if that is missing.
  private mutating func currentPage() -> Page {
    let newest = client.snapshot
    if let page = Page(state: client.state, isOffline: isOffline) {
      shown = newest
      return page
    }
    if model.place == .changes {
      return Page(changes: ChangeSummary(client.changes(since: firstToken)))
    }
    if let bundle = model.place.bundle, !newest.isStored(bundle) {
      if let error = failures[bundle] {
        let reason = error.kind == .missing ? "There is no such page." : "\(error.reason)."
        return Page(title: "Not available", lines: [Page.Line(reason)])
      }
      load(bundle, of: newest)
    } else {
      shown = newest
    }
    if let page = model.page(of: shown, at: SystemClock().now) { return page }
    let text = loading.isEmpty ? "This page is not available any more." : "One moment…"
    return Page(title: "Flower shop", lines: [Page.Line(text)])
  }
}
