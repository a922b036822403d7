#if canImport(SwiftUI)
  public import ReeluxCore
  public import SwiftUI

  extension Binding {
    /// Creates a SwiftUI binding that reads and writes `field`. The animation of a write applies to the resulting
    /// changes.
    @MainActor
    public init(_ field: FieldBinding<Value>) {
      self.init { @MainActor in
        field.wrappedValue
      } set: { @MainActor value, transaction in
        withTransaction(transaction) { field.wrappedValue = value }
      }
    }
  }

  extension MainActorStore {
    /// Returns a binding to a field. A write sends an action. See
    /// ``fieldBinding(_:send:sendsEqual:file:function:line:)``.
    public func binding<Value: Equatable>(
      _ path: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action, sendsEqual: Bool = false,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Value> {
      Binding(fieldBinding(path, send: action, sendsEqual: sendsEqual, file: file, function: function, line: line))
    }

    /// Returns a binding to the path of a navigation stack. See ``pathBinding(_:send:file:function:line:)``.
    ///
    /// Each update of the view gets the same binding, because a stack whose binding changes can trap when it goes back.
    public func binding<Element: Equatable>(
      path: KeyPath<State, [Element]>, send action: @escaping @MainActor ([Element]) -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<[Element]> {
      Bindable(navigation(path, send: action, from: ActionSource(file: file, function: function, line: line))).value
    }

    /// Returns a binding for a sheet, a popover or a destination with an item. See ``Presentation``.
    public func binding<Item: Sendable & Identifiable>(
      item path: any KeyPath<State, Item?> & Sendable, dismiss action: @escaping @autoclosure @MainActor () -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Item?> {
      let presentation = presentation(path, dismiss: action(), file: file, function: function, line: line)
      return Binding(
        FieldBinding {
          presentation.item
        } set: {
          if $0 == nil { presentation.dismiss() }
        })
    }

    /// Returns a binding for an alert, a confirmation or a sheet that is open while an optional part has a value. See
    /// ``Presentation``.
    public func binding<Item: Sendable>(
      isPresented path: any KeyPath<State, Item?> & Sendable,
      dismiss action: @escaping @autoclosure @MainActor () -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Bool> {
      Binding(presentation(path, dismiss: action(), file: file, function: function, line: line))
    }

    /// Returns a binding for an optional part with an identity.
    public func binding<Item: Sendable & Identifiable>(
      isPresented path: any KeyPath<State, Item?> & Sendable,
      dismiss action: @escaping @autoclosure @MainActor () -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Bool> {
      Binding(presentation(path, dismiss: action(), file: file, function: function, line: line))
    }
  }

  extension Binding where Value == Bool {
    @MainActor
    fileprivate init<Item>(_ presentation: Presentation<Item>) {
      self.init(
        FieldBinding {
          presentation.isPresented
        } set: {
          if !$0 { presentation.dismiss() }
        })
    }
  }

  extension ForEach {
    /// Creates a row with its own store for each element of a collection.
    ///
    /// A change of one element redraws only its row. If SwiftUI draws a row once more after its element was removed,
    /// the row shows the last value.
    @MainActor
    @inlinable
    public init<Action: Sendable, State: Sendable, RowAction: Sendable, Elements, Row: View>(
      _ store: MainActorStore<Action, State>, _ path: any KeyPath<State, Elements> & Sendable,
      action: @escaping (ElementAction<ID, RowAction>) -> Action,
      file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
      @ViewBuilder row: @escaping @MainActor (MainActorStore<RowAction, Elements.Element>) -> Row
    )
    where
      Data == [ID], Content == Row?, Elements: RandomAccessCollection & Sendable,
      Elements.Element: Identifiable & Equatable & Sendable, Elements.Element.ID == ID
    {
      self.init(store.elementIDs(of: path), id: \.self) { id in
        store.projection(element: id, of: path, action: action, file: file, line: line, column: column).map(row)
      }
    }
  }
#endif
