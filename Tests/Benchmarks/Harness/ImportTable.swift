#if os(Linux) && canImport(Glibc)
  import Glibc

  /// The places where the loaded libraries keep the addresses of functions that they import.
  ///
  /// Every ELF object lists, for each imported function, a word in its own data
  /// that the loader fills with the function's address. `redirect` writes other
  /// addresses there, `restore` writes the loader's back. The list of objects is
  /// glibc's `link_map`, whose first four words are public (`link.h`).
  enum ImportTable {
    private struct Entry {
      var place: UnsafeMutablePointer<UInt>
      var original: UInt
    }

    /// `nonisolated(unsafe)`: used by the runner only, which does one thing at a time.
    nonisolated(unsafe) private static var changed: [Entry] = []

    /// Leads calls of the named functions elsewhere. False if nothing was found.
    static func redirect(_ replacements: [String: UInt]) -> Bool {
      // Resolves every import first, so that the loader does not write later.
      guard var object = dlopen(nil, RTLD_NOW).map({ UnsafeRawPointer($0) }) else { return false }
      var found: [(place: UnsafeMutablePointer<UInt>, value: UInt)] = []
      while true {
        found += imports(of: object, replacements)
        guard let next = object.load(fromByteOffset: 24, as: UnsafeRawPointer?.self) else { break }
        object = next
      }
      changed = found.map { Entry(place: $0.place, original: $0.place.pointee) }
      for (place, value) in found { write(value, at: place) }
      return !found.isEmpty
    }

    /// Undoes `redirect`.
    static func restore() {
      for entry in changed { write(entry.original, at: entry.place) }
      changed = []
    }

    private static func imports(
      of object: UnsafeRawPointer, _ replacements: [String: UInt]
    ) -> [(place: UnsafeMutablePointer<UInt>, value: UInt)] {
      let base = object.load(as: UInt.self)
      guard var entry = object.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else { return [] }
      var table: [Int: UInt] = [:]
      while case let tag = entry.load(as: Int.self), tag != 0 {
        table[tag] = entry.load(fromByteOffset: 8, as: UInt.self)
        entry += 16
      }
      // glibc has made these absolute, but for the vDSO's.
      guard let strings = table[5], let symbols = table[6], strings >= base, symbols >= base,
        let names = UnsafePointer<CChar>(bitPattern: strings), let symbolTable = UnsafeRawPointer(bitPattern: symbols)
      else { return [] }
      var found: [(place: UnsafeMutablePointer<UInt>, value: UInt)] = []
      for (start, size) in [(table[23], table[2]), (table[7], table[8])] {
        guard let start, let size, var relocation = UnsafeRawPointer(bitPattern: start) else { continue }
        for _ in 0..<(size / 24) {
          defer { relocation += 24 }
          let info = relocation.load(fromByteOffset: 8, as: UInt64.self)
          // GLOB_DAT and JUMP_SLOT, on x86-64 and on arm64.
          guard [6, 7, 1025, 1026].contains(info & 0xffff_ffff) else { continue }
          let name = symbolTable.load(fromByteOffset: Int(info >> 32) * 24, as: UInt32.self)
          guard let value = replacements[String(cString: names + Int(name))],
            let place = UnsafeMutablePointer<UInt>(bitPattern: base &+ relocation.load(as: UInt.self))
          else { continue }
          found.append((place, value))
        }
      }
      return found
    }

    /// The word may lie in a page that the loader has made read-only.
    private static func write(_ value: UInt, at place: UnsafeMutablePointer<UInt>) {
      let size = UInt(sysconf(Int32(_SC_PAGESIZE)))
      let page = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: place) & ~(size - 1))
      guard mprotect(page, Int(size), PROT_READ | PROT_WRITE) == 0 else { return }
      place.pointee = value
    }
  }
#endif
