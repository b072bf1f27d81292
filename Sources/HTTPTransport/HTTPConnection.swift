import CCurl

/// A connection that is kept open between requests; one thread at a time uses it.
///
/// A class, since libcurl's handle is freed once, and libcurl holds its address. Unchecked, since
/// `HTTPClient` lends it to one thread at a time.
final class HTTPConnection: @unchecked Sendable {
  private let curl: ccurl_functions
  private let handle: UnsafeMutableRawPointer
  private let limits: HTTPLimits
  private let certificates: String?
  private let isCancelled: HTTPClient.Cancellation?
  /// The cancellation of the current request, beside that of the client.
  private var isRequestCancelled: HTTPClient.Cancellation?
  /// `true` if a connection of an earlier request may still be open.
  private var wasOpen = false
  /// The bytes of the last request.
  private(set) var traffic = HTTPTraffic()

  /// Prepares a connection, which opens on first use; `nil` if there is no libcurl.
  init?(limits: HTTPLimits, certificates: String?, isCancelled: HTTPClient.Cancellation?) {
    guard let curl = Curl.loaded?.functions, let handle = curl.easy_init() else { return nil }
    (self.curl, self.handle, self.limits) = (curl, handle, limits)
    (self.certificates, self.isCancelled) = (certificates, isCancelled)
  }

  // TLS tells the server about the end, even if the server has closed the connection.
  deinit { withoutBrokenPipes { curl.easy_cleanup(handle) } }

  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    let incoming = IncomingAnswer(to: request, limits: limits)
    let outgoing = request.stream.map(OutgoingBody.init)
    let code = withExtendedLifetime((self, incoming, outgoing)) {
      // Keeps open connections, and forgets all options of the last request.
      curl.easy_reset(handle)
      isRequestCancelled = request.observer?.isCancelled
      ccurl_close_on_exec(curl, handle)
      setLimits(for: request)
      receive(into: incoming)
      let lines = setHeaders(of: request)
      defer { curl.slist_free_all(lines) }
      ccurl_set_text(curl, handle, CURLOPT_URL, request.url)
      return withoutBrokenPipes { perform(request, streaming: outgoing) }
    }
    count(incoming)
    defer { if code == CURLE_OK { wasOpen = true } }
    if let error = outgoing?.failure {
      throw HTTPFailure(.unreadable, mayHaveTakenEffect: false, reason: "\(error)")
    }
    guard code == CURLE_OK else { throw failure(code, during: incoming) }
    guard incoming.isHeadWhole else {
      var failure = HTTPFailure(.lost, mayHaveTakenEffect: true, reason: "an answer breaks off")
      failure.hasBegunAnswer = incoming.hasBegun
      throw failure
    }
    let connects = ccurl_count(curl, handle, CURLINFO_NUM_CONNECTS)
    return HTTPAnswer(
      status: ccurl_status(curl, handle), headers: incoming.headers, body: incoming.body,
      mayHaveBeenSentTwice: wasOpen && connects > 0)
  }

  private func count(_ incoming: IncomingAnswer) {
    let head = ccurl_count(curl, handle, CURLINFO_REQUEST_SIZE)
    traffic = HTTPTraffic()
    traffic.requests = head > 0 ? 1 : 0
    traffic.sentBytes = head + Int(ccurl_size(curl, handle, CURLINFO_SIZE_UPLOAD_T))
    traffic.receivedBytes = ccurl_count(curl, handle, CURLINFO_HEADER_SIZE) + incoming.bodyCount
  }

  private func perform(_ request: HTTPRequest, streaming outgoing: OutgoingBody?) -> CURLcode {
    switch request.method {
    case .get: return curl.easy_perform(handle)
    case .head:
      ccurl_set_number(curl, handle, CURLOPT_NOBODY, 1)
      return curl.easy_perform(handle)
    case .put, .post, .delete, .purge, .ban, .purgeKeys:
      ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      // Without a body, only PUT and POST state its length (RFC 9110, section 8.6).
      let statesLength = request.method == .put || request.method == .post
      guard request.bodyCount > 0 || statesLength else { return curl.easy_perform(handle) }
      guard let outgoing else { return perform(sending: request.body) }
      ccurl_set_number(curl, handle, CURLOPT_UPLOAD, 1)
      ccurl_set_size(curl, handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.bodyCount))
      ccurl_set_sender(
        curl, handle, sendBody(bytes:size:count:sender:), rewindBody(sender:offset:origin:),
        Unmanaged.passUnretained(outgoing).toOpaque())
      return curl.easy_perform(handle)
    }
  }

  /// Sends a body from memory: of libcurl's two ways to send, this one needs no callback.
  private func perform(sending body: [UInt8]) -> CURLcode {
    ccurl_set_number(curl, handle, CURLOPT_POST, 1)
    return body.withUnsafeBytes { bytes in
      ccurl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
      ccurl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, bytes.baseAddress)
      return curl.easy_perform(handle)
    }
  }

  private func setLimits(for request: HTTPRequest) {
    ccurl_set_number(curl, handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
    // The first megabyte of an answer must arrive within the time of the request itself.
    let answerCount = max(0, request.sink?.count ?? limits.answerBytes(of: request)) - (1 << 20)
    let milliseconds = min(
      limits.milliseconds(for: request) + limits.milliseconds(forBytes: answerCount),
      Int(Int32.max))
    ccurl_set_number(curl, handle, CURLOPT_TIMEOUT_MS, milliseconds)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_LIMIT, limits.silentBytesPerSecond)
    ccurl_set_number(curl, handle, CURLOPT_LOW_SPEED_TIME, limits.silentSeconds)
    // Other threads run, so time limits must not use signals.
    ccurl_set_number(curl, handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(curl, handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(curl, handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // The signed path must be the sent one.
    ccurl_set_number(curl, handle, CURLOPT_PATH_AS_IS, 1)
    if let certificates { ccurl_set_text(curl, handle, CURLOPT_CAINFO, certificates) }
    // An empty name also overrides the variables of the environment.
    if request.bypassesProxies { ccurl_set_text(curl, handle, CURLOPT_PROXY, "") }
    if request.decodesBody {
      // All encodings that libcurl was built with.
      ccurl_set_text(curl, handle, CURLOPT_ACCEPT_ENCODING, "")
    }
    if isCancelled != nil || isRequestCancelled != nil {
      ccurl_set_observer(
        curl, handle, observe(connection:total:received:totalToSend:sent:),
        Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func receive(into incoming: IncomingAnswer) {
    let address = Unmanaged.passUnretained(incoming).toOpaque()
    ccurl_set_receiver(curl, handle, receiveBody(bytes:size:count:receiver:), address)
    ccurl_set_header_receiver(curl, handle, receiveHeader(bytes:size:count:receiver:), address)
  }

  /// Sets the headers, and suppresses those that libcurl would add.
  private func setHeaders(of request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
    // A semicolon in place of the colon: a header without a value.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    let names = request.headers.map { $0.name.lowercased() }
    // libcurl expects an answer before it sends more than a megabyte. A server that refuses so much
    // would otherwise hang up in the middle, and its answer would be lost.
    let expects = request.expectsContinue && request.bodyCount > 1 << 20
    let unwanted = ["Content-Type", "Accept"] + (expects ? [] : ["Expect"])
    for name in unwanted where !names.contains(name.lowercased()) { lines.append("\(name):") }
    let list = lines.reduce(nil) { curl.slist_append($0, $1) }
    ccurl_set_pointer(curl, handle, CURLOPT_HTTPHEADER, list)
    return list
  }

  private func failure(_ code: CURLcode, during incoming: IncomingAnswer) -> HTTPFailure {
    let wasSent = ccurl_count(curl, handle, CURLINFO_REQUEST_SIZE) > 0
    guard !incoming.isTooSlow else {
      return HTTPFailure(.late, mayHaveTakenEffect: true, reason: "an answer arrives too slowly")
    }
    guard !incoming.isTooLong else {
      return HTTPFailure(.tooLong, mayHaveTakenEffect: true, reason: "an answer is too long")
    }
    let reason = curl.easy_strerror(code).map { String(cString: $0) } ?? "it fails"
    // The request may have been sent over an open connection that ended, before libcurl failed to
    // open a new one.
    var failure = HTTPFailure(
      Self.kind(of: code, wasSent: wasSent), mayHaveTakenEffect: wasSent || wasOpen, reason: reason)
    failure.hasBegunAnswer = incoming.hasBegun
    return failure
  }

  private static func kind(of code: CURLcode, wasSent: Bool) -> HTTPFailure.Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
      .unconnected
    case CURLE_OPERATION_TIMEDOUT: wasSent ? .late : .unconnected
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM:
      .untrusted
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .lost
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    default: wasSent ? .lost : .unusable
    }
  }

  fileprivate var shouldEnd: Bool { isCancelled?() ?? false || isRequestCancelled?() ?? false }
}

/// Takes a part of a body; any other result than the number of its bytes ends the request.
private func receiveBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, receiver: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver else { return 0 }
  let incoming = Unmanaged<IncomingAnswer>.fromOpaque(receiver).takeUnretainedValue()
  return incoming.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    ? size * count : 0
}

/// Takes one line of the head.
private func receiveHeader(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, receiver: UnsafeMutableRawPointer?
) -> Int {
  guard let receiver else { return 0 }
  let incoming = Unmanaged<IncomingAnswer>.fromOpaque(receiver).takeUnretainedValue()
  return incoming.appendLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    ? size * count : 0
}

/// Returns 1 to end the request; libcurl calls this at least once a second.
private func observe(
  connection: UnsafeMutableRawPointer?, total: curl_off_t, received: curl_off_t,
  totalToSend: curl_off_t, sent: curl_off_t
) -> Int32 {
  guard let connection else { return 0 }
  return Unmanaged<HTTPConnection>.fromOpaque(connection).takeUnretainedValue().shouldEnd ? 1 : 0
}
