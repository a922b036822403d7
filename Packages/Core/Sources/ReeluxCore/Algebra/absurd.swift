/// Makes a value of any type from a value that cannot exist.
@inlinable
func absurd<Value>(_ impossible: Never) -> Value {}
