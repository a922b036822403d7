import Foundation

/// A process that tests inputs one after the other, each with a limit of time and memory.
struct FuzzWorker {
  /// The processor time that an input may take, in seconds.
  static let processorSeconds = 20

  /// The time that an input may take, in seconds. The machine may be busy, or the run suspended.
  static let wallSeconds = 900

  /// The memory that an input may add to the process, in bytes.
  static let memory = 512 << 20

  let format: FuzzFormat
  let seed: UInt64
  /// The process that started this one. If it ends, the worker tests no further input.
  let supervisor: pid_t

  func run(_ inputs: Range<Int>, tally: FuzzTally) async {
    Self.limitMemory()
    var peak = MemoryCheck.peakBytes()
    for number in inputs where getppid() == supervisor {
      tally.current = number
      Self.startTimers()
      let input = format.input(number, seed: seed)
      var outcome = await format.check(input.bytes, input.isValid)
      let memory = MemoryCheck.peakBytes()
      if memory - peak > Self.memory { outcome = .wrong("it takes \((memory - peak) >> 20) MB") }
      peak = memory
      switch outcome {
      case .read: tally.read += 1
      case .refused: tally.refused += 1
      case .misused: tally.misused += 1
      case .wrong(let text):
        tally.wrong += 1
        FuzzFailure(format: format, number: number, seed: seed).report(text)
      }
    }
  }

  /// Starts the timers of an input. A timer that expires ends the process with its signal.
  private static func startTimers() {
    var processor = itimerval(
      it_interval: timeval(), it_value: timeval(tv_sec: processorSeconds, tv_usec: 0))
    unsafe setitimer(processorTimer, &processor, nil)
    var wall = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: wallSeconds, tv_usec: 0))
    unsafe setitimer(wallTimer, &wall, nil)
  }

  #if canImport(Darwin)
    private static let (processorTimer, wallTimer) = (ITIMER_PROF, ITIMER_REAL)
  #else
    private static let processorTimer = __itimer_which_t(ITIMER_PROF.rawValue)
    private static let wallTimer = __itimer_which_t(ITIMER_REAL.rawValue)
  #endif

  /// Whether the address sanitizer is part of the program. It reserves terabytes, and keeps freed memory.
  static var isSanitized: Bool {
    #if canImport(Glibc)
      guard let program = unsafe dlopen(nil, RTLD_NOW) else { return false }
      return unsafe dlsym(program, "__asan_init") != nil
    #else
      false
    #endif
  }

  /// Limits the address space of the process, except under the address sanitizer.
  private static func limitMemory() {
    #if canImport(Glibc)
      if isSanitized { return }
      var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #endif
  }
}

/// The results of a worker so far, in a file that two processes map. The supervisor can read it after a crash of the
/// worker.
///
/// This is correct, because the file has the size of the numbers and stays mapped until the end of this object.
@safe final class FuzzTally {
  private let numbers: UnsafeMutablePointer<Int>
  private static let count = 5

  init(path: String) throws {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(file) }
    let size = Self.count * MemoryLayout<Int>.stride
    guard ftruncate(file, off_t(size)) == 0,
      let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), unsafe memory != MAP_FAILED
    else { throw CocoaError(.fileWriteUnknown) }
    unsafe numbers = unsafe memory.bindMemory(to: Int.self, capacity: Self.count)
  }

  deinit { unsafe munmap(numbers, Self.count * MemoryLayout<Int>.stride) }

  /// The number of the current input.
  var current: Int {
    get { unsafe numbers[0] }
    set { unsafe numbers[0] = newValue }
  }
  /// The number of accepted inputs.
  var read: Int {
    get { unsafe numbers[1] }
    set { unsafe numbers[1] = newValue }
  }
  /// The number of inputs that were rejected with a reason.
  var refused: Int {
    get { unsafe numbers[2] }
    set { unsafe numbers[2] = newValue }
  }
  /// The number of inputs with a wrong outcome.
  var wrong: Int {
    get { unsafe numbers[3] }
    set { unsafe numbers[3] = newValue }
  }
  /// The number of command lines that their parser rejected.
  var misused: Int {
    get { unsafe numbers[4] }
    set { unsafe numbers[4] = newValue }
  }
}
