/// A type of a module whose name begins with the name of Foundation. Its description shows only one property.
package struct LookalikeAccount: Sendable, CustomStringConvertible {
  package var name = "ada"
  package var password: String

  package init(password: String) {
    self.password = password
  }

  package var description: String { name }
}
