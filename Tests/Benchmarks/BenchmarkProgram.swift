import Foundation

@main
struct BenchmarkProgram {
  static let groups: [Group] = [.dispatch, .observers, .manyFeatures, .producers, .largeArray, .roundTrip]

  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.help {
        print(Options.usage)
        return
      }
      let runner = Runner(options: options)
      let report = Report(json: options.json)
      report.begin()
      for group in groups {
        for row in try runner.run(group) { report.write(row) }
      }
    } catch let error as UsageError {
      fail(error, code: 64)
    } catch {
      fail(error, code: 1)
    }
  }

  private static func fail(_ error: any Error, code: Int32) -> Never {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(code)
  }
}
