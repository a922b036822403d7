/// The run without some of its actions, as a report shows it.
///
/// A page cannot run the app's reducer. A reader marks actions there, and the page offers the command that makes the page of
/// the run without them.
public struct ReportWhatIf<Action: Sendable, State: Sendable>: Sendable {
  /// The command lines of a program that makes reports.
  public struct Command: Sendable {
    /// What makes the page of a run without some actions; their numbers, such as `3,5..8`, are put at its end.
    public var skip: String
    /// What makes the page of another recording; its name is put at the end.
    public var report: String

    /// Makes command lines.
    public init(skip: String, report: String) {
      self.skip = skip
      self.report = report
    }
  }

  /// The numbers of the actions that are left out.
  public var skipping: Set<Int>
  /// What becomes of an action after others were left out, given the state before it; see ``AnswerFit``.
  public var fit: @Sendable (Action, State) -> AnswerFit<Action>
  /// The program that makes such pages; without it, the page names the initializer.
  public var command: Command?

  /// Makes a what-if; without arguments, the run as it was.
  public init(
    skipping: Set<Int> = [], command: Command? = nil,
    fit: @escaping @Sendable (Action, State) -> AnswerFit<Action> = { _, _ in .asRecorded }
  ) {
    self.skipping = skipping
    self.command = command
    self.fit = fit
  }
}
