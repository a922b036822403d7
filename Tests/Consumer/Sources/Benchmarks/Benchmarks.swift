/// The adopter's own target of this name.
public let runs = 1
