import Foundation

/// The program: arguments in, exit code out.
package enum Program {
  /// The version that `--version` tells.
  package static let version = "0.1.0"

  /// Runs the program with this process's arguments, environment and streams; answers the exit code.
  package static func main() async -> Int32 {
    let environment = ProcessInfo.processInfo.environment
    let exitCode = await run(
      Array(CommandLine.arguments.dropFirst()), environment: environment, output: .output, error: .error)
    return exitCode.rawValue
  }

  /// Runs the program.
  package static func run(
    _ arguments: [String], environment: [String: String], output: StandardStream, error: StandardStream
  ) async -> ExitCode {
    let description = CommandLineDescription.movies
    let exitCode: ExitCode
    do throws(UsageError) {
      let parsed = try description.parse(arguments)
      switch parsed.request {
      case .help(let topic):
        SignalWatch.begin { _ in }
        output.write(description.help(topic))
        exitCode = .done
      case .version:
        SignalWatch.begin { _ in }
        output.write("\(description.program) \(version)\n")
        exitCode = .done
      case .run(let command):
        let invocation = try Invocation(parsed, command: command)
        let console = console(invocation.options, environment, output, error)
        exitCode = await run(invocation, console, environment: environment, output: output, error: error)
      }
    } catch {
      StandardStream.error.write(MessageText.usage(error, program: description.program), flush: true)
      exitCode = .usage
    }
    return finish(exitCode, output: output, error: error)
  }

  private static func run(
    _ invocation: Invocation, _ console: Console, environment: [String: String], output: StandardStream,
    error: StandardStream
  ) async -> ExitCode {
    let stores: StoreMaker
    do throws(CommandFailure) {
      stores = try StoreMaker(options: invocation.options, environment: environment, console: console)
    } catch {
      console.report(error.message)
      return error.exitCode
    }
    SignalWatch.begin { code in
      // Whatever a command was doing, files are whole: they are replaced in one step.
      console.clearProgress()
      output.flush()
      error.flush()
      stores.flush()
      _exit(code.rawValue)
    }
    var exitCode = ExitCode.done
    do throws(CommandFailure) {
      try await stores.session(for: invocation).run(invocation.command)
    } catch {
      output.flush()
      console.report(error.message)
      exitCode = error.exitCode
    }
    stores.flush()
    return exitCode
  }

  /// What the streams have to say at the end: a closed pipe is no failure, anything else is.
  private static func finish(_ exitCode: ExitCode, output: StandardStream, error: StandardStream) -> ExitCode {
    output.flush()
    var exitCode = exitCode
    if case .refused(let reason) = output.failure {
      error.write(MessageText.error("standard output cannot be written: \(reason)"))
      exitCode = .inputOutput
    }
    error.flush()
    return exitCode
  }

  private static func console(
    _ options: GlobalOptions, _ environment: [String: String], _ output: StandardStream, _ error: StandardStream
  ) -> Console {
    var console = Console(
      output: { output.write($0, flush: $1 || output.isTerminal) }, errors: { error.write($0, flush: true) })
    console.style = TextStyle(
      usesColor: TextStyle.usesColor(options.color, isTerminal: output.isTerminal, environment: environment),
      width: output.columns(environment: environment))
    console.errorStyle = TextStyle(
      usesColor: TextStyle.usesColor(options.color, isTerminal: error.isTerminal, environment: environment),
      width: error.columns(environment: environment))
    console.isQuiet = options.quiet
    console.isInteractive = output.isTerminal
    console.showsProgress = error.isTerminal && !options.quiet && environment["TERM"] != "dumb"
    console.isClosed = { output.failure != nil }
    return console
  }
}
