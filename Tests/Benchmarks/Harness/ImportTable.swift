#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The places where loaded libraries store the addresses of imported functions.
  ///
  /// For each imported function, every ELF object has a word in its own data, into which the loader writes the
  /// function's address. `redirect` replaces these addresses, and `restore` writes the loader's addresses again. The
  /// list of objects is glibc's `link_map`, whose first four words are public (`link.h`).
  enum ImportTable {
    @safe private struct Entry {
      var place: UnsafeMutablePointer<UInt>
      var original: UInt
    }

    /// `nonisolated(unsafe)`: only the runner uses it, and it does one thing at a time.
    nonisolated(unsafe) private static var changed: [Entry] = []

    /// Redirects calls of the named functions. Returns false if none was found.
    static func redirect(_ replacements: [String: UInt]) -> Bool {
      // Every import is resolved first, so that the loader does not write later.
      guard var object = unsafe dlopen(nil, RTLD_NOW).map({ UnsafeRawPointer($0) }) else { return false }
      var found: [(place: UnsafeMutablePointer<UInt>, value: UInt)] = unsafe []
      while true {
        unsafe found += imports(of: object, replacements)
        guard let next = unsafe object.load(fromByteOffset: 24, as: UnsafeRawPointer?.self) else { break }
        unsafe object = unsafe next
      }
      unsafe changed = unsafe found.map { unsafe Entry(place: $0.place, original: $0.place.pointee) }
      for unsafe(place, value) in unsafe found { unsafe write(value, at: place) }
      return unsafe !found.isEmpty
    }

    /// Undoes `redirect`.
    static func restore() {
      for entry in unsafe changed { unsafe write(entry.original, at: entry.place) }
      unsafe changed = []
    }

    private static func imports(
      of object: UnsafeRawPointer, _ replacements: [String: UInt]
    ) -> [(place: UnsafeMutablePointer<UInt>, value: UInt)] {
      let base = unsafe object.load(as: UInt.self)
      guard var entry = unsafe object.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else { return unsafe [] }
      var table: [Int: UInt] = [:]
      while case let tag = unsafe entry.load(as: Int.self), tag != 0 {
        table[tag] = unsafe entry.load(fromByteOffset: 8, as: UInt.self)
        unsafe entry += 16
      }
      // glibc has converted these addresses to absolute ones, except for those of the vDSO.
      guard let strings = table[5], let symbols = table[6], strings >= base, symbols >= base,
        let names = unsafe UnsafePointer<CChar>(bitPattern: strings),
        let symbolTable = unsafe UnsafeRawPointer(bitPattern: symbols)
      else { return unsafe [] }
      var found: [(place: UnsafeMutablePointer<UInt>, value: UInt)] = unsafe []
      for (start, size) in [(table[23], table[2]), (table[7], table[8])] {
        guard let start, let size, var relocation = unsafe UnsafeRawPointer(bitPattern: start) else { continue }
        for _ in 0..<(size / 24) {
          defer { unsafe relocation += 24 }
          let info = unsafe relocation.load(fromByteOffset: 8, as: UInt64.self)
          // GLOB_DAT and JUMP_SLOT, on x86-64 and on arm64.
          guard [6, 7, 1025, 1026].contains(info & 0xffff_ffff) else { continue }
          let name = unsafe symbolTable.load(fromByteOffset: Int(info >> 32) * 24, as: UInt32.self)
          guard let value = unsafe replacements[String(cString: names + Int(name))],
            let place = unsafe UnsafeMutablePointer<UInt>(bitPattern: base &+ relocation.load(as: UInt.self))
          else { continue }
          unsafe found.append((place, value))
        }
      }
      return unsafe found
    }

    /// Writes a word. It may be in a page that the loader has made read-only.
    private static func write(_ value: UInt, at place: UnsafeMutablePointer<UInt>) {
      let size = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let page = unsafe UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: place) & ~(size - 1))
      guard unsafe mprotect(page, Int(size), PROT_READ | PROT_WRITE) == 0 else { return }
      unsafe place.pointee = value
    }
  }
#endif
