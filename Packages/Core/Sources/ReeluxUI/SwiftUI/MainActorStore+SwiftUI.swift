#if canImport(SwiftUI)
  public import ReeluxCore
  public import SwiftUI

  extension Binding {
    /// A SwiftUI binding that reads and writes like `field`; the animation of a write applies to what it changes.
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
    /// A binding to a field; writing it sends an action. See ``fieldBinding(_:send:sendsEqual:file:function:line:)``.
    public func binding<Value: Equatable>(
      _ path: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action, sendsEqual: Bool = false,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Value> {
      Binding(fieldBinding(path, send: action, sendsEqual: sendsEqual, file: file, function: function, line: line))
    }

    /// A binding for a navigation stack's path. See ``pathBinding(_:send:file:function:line:)``.
    ///
    /// It is the same in each update of the view: a stack whose binding changes can trap when it goes back.
    public func binding<Element: Equatable>(
      path: KeyPath<State, [Element]>, send action: @escaping @MainActor ([Element]) -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<[Element]> {
      Bindable(navigation(path, send: action, from: ActionSource(file: file, function: function, line: line))).value
    }

    /// A binding for a sheet, a popover or a destination with an item. See ``Presentation``.
    public func binding<Item: Sendable & Identifiable>(
      item path: KeyPath<State, Item?>, dismiss action: @escaping @autoclosure @MainActor () -> Action,
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

    /// A binding for an alert, a confirmation or a sheet that is open while an optional part has a value. See
    /// ``Presentation``.
    public func binding<Item: Sendable>(
      isPresented path: KeyPath<State, Item?>, dismiss action: @escaping @autoclosure @MainActor () -> Action,
      file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
    ) -> Binding<Bool> {
      Binding(presentation(path, dismiss: action(), file: file, function: function, line: line))
    }

    /// The same for a part with an identity.
    public func binding<Item: Sendable & Identifiable>(
      isPresented path: KeyPath<State, Item?>, dismiss action: @escaping @autoclosure @MainActor () -> Action,
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
    /// A row for each element of a collection, with a store of its own.
    ///
    /// A change of one element redraws only its row. If SwiftUI draws a row once more after its element was
    /// removed, the row shows the last value.
    @MainActor
    public init<Action: Sendable, State: Sendable, RowAction: Sendable, Elements, Row: View>(
      _ store: MainActorStore<Action, State>, _ path: KeyPath<State, Elements>,
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
