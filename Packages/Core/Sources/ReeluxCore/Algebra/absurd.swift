/// What follows from a value that cannot exist: anything.
@inlinable
func absurd<Value>(_ impossible: Never) -> Value {}
