/// The filter of fixes. The defaults accept every fix. A value that is not a number is no limit.
public struct PositionOptions: Hashable, Codable, Sendable {
  /// The smallest distance in metres from the last accepted fix; 0 for no limit.
  public var minimumDistance: Double {
    didSet { minimumDistance = limit(minimumDistance) }
  }
  /// The smallest time in seconds since the last accepted fix; 0 for no limit. It is computed from the timestamps.
  /// It does not reject a fix that is older than the last accepted one.
  public var minimumInterval: Double {
    didSet { minimumInterval = limit(minimumInterval) }
  }
  /// The largest accepted value of a fix's accuracy in metres; `nil` for no limit. A fix without an accuracy is
  /// accepted.
  public var requiredAccuracy: Double? {
    didSet { requiredAccuracy = limit(requiredAccuracy) }
  }

  /// Creates options.
  public init(minimumDistance: Double = 0, minimumInterval: Double = 0, requiredAccuracy: Double? = nil) {
    self.minimumDistance = limit(minimumDistance)
    self.minimumInterval = limit(minimumInterval)
    self.requiredAccuracy = limit(requiredAccuracy)
  }
}

extension PositionOptions {
  /// Decodes options, with the rules of ``init(minimumDistance:minimumInterval:requiredAccuracy:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      minimumDistance: try container.decode(Double.self, forKey: .minimumDistance),
      minimumInterval: try container.decode(Double.self, forKey: .minimumInterval),
      requiredAccuracy: try container.decodeIfPresent(Double.self, forKey: .requiredAccuracy))
  }
}

/// The filter of headings. A value that is not a number is no limit.
public struct HeadingOptions: Hashable, Codable, Sendable {
  /// The smallest difference in degrees from the last accepted heading; 0 for no limit. Default: 5.
  public var minimumTurn: Double {
    didSet { minimumTurn = limit(minimumTurn) }
  }

  /// Creates options.
  public init(minimumTurn: Double = 5) {
    self.minimumTurn = limit(minimumTurn)
  }
}

extension HeadingOptions {
  /// Decodes options, with the rule of ``init(minimumTurn:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(minimumTurn: try container.decode(Double.self, forKey: .minimumTurn))
  }
}

/// No limit for a value that is not a number. Options with such a value would not equal themselves, and the service
/// would be opened again after each action.
private func limit(_ value: Double) -> Double { value.isNaN ? 0 : value }

private func limit(_ value: Double?) -> Double? { value?.isNaN == true ? nil : value }
