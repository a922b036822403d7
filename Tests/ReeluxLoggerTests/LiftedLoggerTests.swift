import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxLogger

private enum TwoShopsAction: Sendable {
  case left(ShopAction)
  case right(ShopAction)
  case close
}

private struct TwoShops: Sendable {
  var left = ShopState()
  var right = ShopState()
  var isOpen = true
}

extension Prism<TwoShopsAction, ShopAction> {
  fileprivate static let left = Prism(case: TwoShopsAction.left) {
    if case .left(let action) = $0 { action } else { nil }
  }
  fileprivate static let right = Prism(case: TwoShopsAction.right) {
    if case .right(let action) = $0 { action } else { nil }
  }
}

private enum StreetAction: Sendable {
  case shop(ElementAction<Int, ShopAction>)
  case guest(ShopAction)
}

private struct Street: Sendable {
  var shops = [7: ShopState()]
  var guest: ShopState? = ShopState()
}

extension Prism<StreetAction, ElementAction<Int, ShopAction>> {
  fileprivate static let shop = Prism(case: StreetAction.shop) {
    if case .shop(let action) = $0 { action } else { nil }
  }
}

extension Prism<StreetAction, ShopAction> {
  fileprivate static let guest = Prism(case: StreetAction.guest) {
    if case .guest(let action) = $0 { action } else { nil }
  }
}

@Suite(.conformance(71), .timeLimit(.minutes(15))) struct LiftedLoggerTests {
  private func texts(_ memory: LogMemory) -> [String] {
    EveryLogger.flush()
    return memory.records.map { "\($0.action) \($0.difference?.description ?? "")" }
  }

  @Test func aLoggerOfTheAppLogsEveryFeatureWithPathsFromTheRoot() {
    let memory = LogMemory()
    let app = Feature<TwoShopsAction, TwoShops> {
      Feature(reducer: .shop).lift(action: .left, state: \.left)
      Feature(reducer: .shop).lift(action: .right, state: \.right)
      Feature.logger(to: .memory(memory))
    }
    let store = Store(initialState: TwoShops(), feature: app)
    store.dispatch(.left(.add("tea")))
    store.dispatch(.right(.count(.up)))
    store.dispatch(.close)
    #expect(
      texts(memory) == [
        #".left(.add("tea")) left.cart[0]: + "tea""#, ".right(.count(.up)) right.counter.value: 0 → 1", ".close ",
      ])
  }

  @Test func aLiftedLoggerLogsItsFeatureOnlyWithPathsFromThere() {
    let memory = LogMemory()
    let shop = Feature<ShopAction, ShopState> {
      Feature(reducer: .shop)
      Feature.logger(to: .memory(memory))
    }
    let app = Feature<TwoShopsAction, TwoShops> {
      shop.lift(action: .left, state: \.left)
      Feature(reducer: .shop).lift(action: .right, state: \.right)
    }
    let store = Store(initialState: TwoShops(), feature: app)
    store.dispatch(.left(.add("tea")))
    store.dispatch(.right(.add("milk")))
    #expect(texts(memory) == [#".add("tea") cart[0]: + "tea""#])
  }

  @Test func theSourceIsThePlaceOfTheDispatchThroughALift() {
    let memory = LogMemory()
    let logger = Feature<ShopAction, ShopState>.logger(to: .memory(memory))
    let store = Store(initialState: TwoShops(), feature: logger.lift(action: .left, state: \.left))
    store.dispatch(.left(.tick), info: "here")
    EveryLogger.flush()
    #expect(memory.records.first?.source.file == #fileID)
    #expect(memory.records.first?.source.info == "here")
  }

  @Test(arguments: LogDetail.allCases) func theActionThatRemovesThePartOfALoggerIsLogged(detail: LogDetail) {
    let memory = LogMemory()
    let log = LoggerMiddleware<ShopAction, ShopState>(to: .memory(memory), options: LogOptions(detail: detail))
    let shop = Feature<ShopAction, ShopState>(reducer: .shop, middleware: Middleware(log))
    let street = Feature<StreetAction, Street> {
      shop.lift(action: .shop, element: .byKey(\.shops))
      shop.lift(action: .guest, optional: \.guest)
      Reducer<StreetAction, Street> { action, street in
        switch action {
        case .shop(let shop): if case .tick = shop.action { street.shops[shop.id] = nil }
        case .guest(.tick): street.guest = nil
        case .guest: break
        }
      }
    }
    let store = Store(initialState: Street(), feature: street)
    store.dispatch(.shop(ElementAction(7, .add("tea"))))
    store.dispatch(.shop(ElementAction(7, .tick)))
    store.dispatch(.guest(.add("milk")))
    store.dispatch(.guest(.tick))
    #expect(store.state.shops.isEmpty && store.state.guest == nil)
    EveryLogger.flush()
    #expect(memory.records.map(\.action) == [#".add("tea")"#, ".tick", #".add("milk")"#, ".tick"])
    #expect(memory.records.filter { $0.difference?.isEmpty == false }.count == (detail >= .changes ? 2 : 0))
  }

  @Test func aLoggerLeavesTheFeatureAsItWas() async {
    let store = TestStore(
      initialState: ShopState(), feature: Feature(reducer: .shop) <> .logger(to: .memory(LogMemory())))
    await store.send(.add("tea")) { $0.cart = ["tea"] }
    await store.send(.tick)
    await store.assertFinished()
  }
}
