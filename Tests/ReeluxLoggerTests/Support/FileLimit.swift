#if os(Linux)
  import Foundation

  /// Limits the size of the files of this process in bytes, or removes the limit. A write beyond it fails.
  func limitFiles(to bytes: rlim_t?) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = bytes ?? limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
#endif
