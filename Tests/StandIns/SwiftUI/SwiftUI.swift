// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in for SwiftUI, with the declarations that this repository uses and without behaviour.
//
// Where SwiftUI does not exist, Scripts/test-apple compiles the SwiftUI code with this module. Signatures,
// isolation and constraints follow the SDK's interface of Xcode 16. Other declarations are left out.
public import Observation

// MARK: Views

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { fatalError() }
}

public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { fatalError() } }

public struct EmptyView: Leaf { nonisolated public init() {} }
public struct TupleView<Contents>: Leaf { nonisolated init(_ contents: Contents) {} }
public struct ModifiedView<Content: View>: Leaf { nonisolated init(_ content: Content) {} }

@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView((repeat each content))
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct Text: Leaf {
  public init<S: StringProtocol>(_ content: S) {}
}

public struct Spacer: Leaf { public init() {} }
public struct ProgressView: Leaf { public init() {} }

public struct VStack<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct HStack<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct ButtonRole: Sendable {
  public static let cancel = ButtonRole()
}

public struct Button<Label: View>: Leaf {
  public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) where Label == Text {}
  public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void)
  where Label == Text {}
}

public struct TextField<Label: View>: Leaf {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) where Label == Text {}
}

public struct NavigationStack<Data, Root: View>: Leaf {
  public init(@ViewBuilder root: () -> Root) where Data == Never {}
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root) where Data: RandomAccessCollection {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
  public typealias Body = Never
  public var body: Never { fatalError() }
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct List<SelectionValue: Hashable, Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) where SelectionValue == Never {}
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where SelectionValue == Never, Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}

extension View {
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { ModifiedView(self) }

  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { ModifiedView(self) }

  public func alert<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
    @ViewBuilder message: (T) -> M
  ) -> some View { ModifiedView(self) }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// MARK: Data

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { fatalError() }
  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

@dynamicMemberLookup
public struct Bindable<Value> {
  public init(_ wrappedValue: Value) where Value: AnyObject & Observable { fatalError() }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue value: Value) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

public struct Transaction {}
public struct Animation: Sendable { public static let `default` = Animation() }

public func withTransaction<Result>(
  _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result { try body() }

public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

// MARK: Apps

@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor @preconcurrency public static func main() {}
}
