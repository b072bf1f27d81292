import ContentDelivery

extension EmergencyPatience {
  /// Says on standard error, at once, which process an emergency waits for.
  static var telling: EmergencyPatience {
    EmergencyPatience { holder in
      try? Terminal.error.write("Waiting for \(holder), which holds the folder's lock\n")
    }
  }
}
