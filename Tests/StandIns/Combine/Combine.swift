// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of Combine that the publishers of ReeluxUI and their tests use, for systems without Combine.
//
// `Scripts/test-apple` builds this file as a module named Combine. The declarations are those of Apple's documentation.
// There are no operators.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public protocol Cancellable {
  func cancel()
}

public protocol Subscription: Cancellable, AnyObject {
  func request(_ demand: Subscribers.Demand)
}

public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }

  /// A number of values. Adding to `unlimited`, and subtracting from it, gives `unlimited`.
  public struct Demand: Equatable, Sendable {
    private let count: Int?

    private init(_ count: Int?) { self.count = count }

    public static var unlimited: Demand { Demand(nil) }
    public static var none: Demand { Demand(0) }
    public static func max(_ value: Int) -> Demand { Demand(value) }

    public static func += (lhs: inout Demand, rhs: Demand) {
      lhs = Demand(lhs.count.flatMap { left in rhs.count.map { left + $0 } })
    }

    public static func -= (lhs: inout Demand, rhs: Int) {
      lhs = Demand(lhs.count.map { $0 - rhs })
    }

    public static func > (lhs: Demand, rhs: Demand) -> Bool {
      rhs.count.map { (lhs.count ?? .max) > $0 } ?? false
    }
  }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let base: any Publisher<Output, Failure>

  public init(_ base: some Publisher<Output, Failure>) { self.base = base }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    base.receive(subscriber: subscriber)
  }
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
