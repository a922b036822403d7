/// The description of a run without some of its actions, for a report.
///
/// A page cannot run the app's reducer. The user marks actions on the page, and the page shows the command that creates
/// a page of the run without these actions.
public struct ReportWhatIf<Action: Sendable, State: Sendable>: Sendable {
  /// The command lines of a program that creates reports.
  public struct Command: Sendable {
    /// The command that creates a page of the run without some actions. Their numbers, such as `3,5..8`, are appended.
    public var skip: String
    /// The command that creates a page of another recording. Its name is appended.
    public var report: String

    /// Creates command lines.
    public init(skip: String, report: String) {
      self.skip = skip
      self.report = report
    }
  }

  /// The numbers of the actions that are left out. Numbers that no action has are ignored.
  public var skipping: Set<Int>
  /// Decides how an action is played after others were left out, given the state before it; see ``AnswerFit``.
  public var fit: @Sendable (Action, State) -> AnswerFit<Action>
  /// The program that creates such pages. Without it, the page names the initializer.
  public var command: Command?

  /// Creates a description. Without arguments, no action is left out.
  public init(
    skipping: Set<Int> = [], command: Command? = nil,
    fit: @escaping @Sendable (Action, State) -> AnswerFit<Action> = { _, _ in .asRecorded }
  ) {
    self.skipping = skipping
    self.command = command
    self.fit = fit
  }
}
