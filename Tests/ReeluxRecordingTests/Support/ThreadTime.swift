import Foundation

/// The processor time of the thread, in nanoseconds. It does not depend on other work on the machine.
enum ThreadTime {
  static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
