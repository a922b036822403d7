/// The first line of a recording.
public struct RecordingHeader: Codable, Hashable, Sendable {
  /// The number of the format that this version writes and reads.
  public static let currentSchema = 2
  /// The name of the format. It distinguishes a recording from other JSON Lines files.
  public static let format = "reelux-recording"

  /// Always ``format``.
  public var format: String
  /// The number of the format.
  public var schema: Int
  /// The program's name.
  public var app: String
  /// The program's version.
  public var version: String
  /// The seed of the program's random source, if it has one.
  public var seed: UInt64?
  /// The time at which the recorder was created, in nanoseconds since 1970.
  public var began: Int64
  /// The checksum of the initial state.
  public var checksum: String

  /// Creates a header of the current schema.
  public init(app: String, version: String, seed: UInt64? = nil, began: Int64 = 0, checksum: String = "") {
    format = Self.format
    schema = Self.currentSchema
    self.app = app
    self.version = version
    self.seed = seed
    self.began = began
    self.checksum = checksum
  }
}
