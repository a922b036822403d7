import ReeluxCore
import Synchronization

enum WideAction64: Sendable {
  case f00(CounterAction)
  case f01(CounterAction)
  case f02(CounterAction)
  case f03(CounterAction)
  case f04(CounterAction)
  case f05(CounterAction)
  case f06(CounterAction)
  case f07(CounterAction)
  case f08(CounterAction)
  case f09(CounterAction)
  case f10(CounterAction)
  case f11(CounterAction)
  case f12(CounterAction)
  case f13(CounterAction)
  case f14(CounterAction)
  case f15(CounterAction)
  case f16(CounterAction)
  case f17(CounterAction)
  case f18(CounterAction)
  case f19(CounterAction)
  case f20(CounterAction)
  case f21(CounterAction)
  case f22(CounterAction)
  case f23(CounterAction)
  case f24(CounterAction)
  case f25(CounterAction)
  case f26(CounterAction)
  case f27(CounterAction)
  case f28(CounterAction)
  case f29(CounterAction)
  case f30(CounterAction)
  case f31(CounterAction)
  case f32(CounterAction)
  case f33(CounterAction)
  case f34(CounterAction)
  case f35(CounterAction)
  case f36(CounterAction)
  case f37(CounterAction)
  case f38(CounterAction)
  case f39(CounterAction)
  case f40(CounterAction)
  case f41(CounterAction)
  case f42(CounterAction)
  case f43(CounterAction)
  case f44(CounterAction)
  case f45(CounterAction)
  case f46(CounterAction)
  case f47(CounterAction)
  case f48(CounterAction)
  case f49(CounterAction)
  case f50(CounterAction)
  case f51(CounterAction)
  case f52(CounterAction)
  case f53(CounterAction)
  case f54(CounterAction)
  case f55(CounterAction)
  case f56(CounterAction)
  case f57(CounterAction)
  case f58(CounterAction)
  case f59(CounterAction)
  case f60(CounterAction)
  case f61(CounterAction)
  case f62(CounterAction)
  case f63(CounterAction)
}

struct WideState64: Equatable, Sendable {
  var f00 = 0
  var f01 = 0
  var f02 = 0
  var f03 = 0
  var f04 = 0
  var f05 = 0
  var f06 = 0
  var f07 = 0
  var f08 = 0
  var f09 = 0
  var f10 = 0
  var f11 = 0
  var f12 = 0
  var f13 = 0
  var f14 = 0
  var f15 = 0
  var f16 = 0
  var f17 = 0
  var f18 = 0
  var f19 = 0
  var f20 = 0
  var f21 = 0
  var f22 = 0
  var f23 = 0
  var f24 = 0
  var f25 = 0
  var f26 = 0
  var f27 = 0
  var f28 = 0
  var f29 = 0
  var f30 = 0
  var f31 = 0
  var f32 = 0
  var f33 = 0
  var f34 = 0
  var f35 = 0
  var f36 = 0
  var f37 = 0
  var f38 = 0
  var f39 = 0
  var f40 = 0
  var f41 = 0
  var f42 = 0
  var f43 = 0
  var f44 = 0
  var f45 = 0
  var f46 = 0
  var f47 = 0
  var f48 = 0
  var f49 = 0
  var f50 = 0
  var f51 = 0
  var f52 = 0
  var f53 = 0
  var f54 = 0
  var f55 = 0
  var f56 = 0
  var f57 = 0
  var f58 = 0
  var f59 = 0
  var f60 = 0
  var f61 = 0
  var f62 = 0
  var f63 = 0
}

extension Prism<WideAction64, CounterAction> {
  static let f00 = Prism(case: WideAction64.f00) { if case .f00(let it) = $0 { it } else { nil } }
  static let f01 = Prism(case: WideAction64.f01) { if case .f01(let it) = $0 { it } else { nil } }
  static let f02 = Prism(case: WideAction64.f02) { if case .f02(let it) = $0 { it } else { nil } }
  static let f03 = Prism(case: WideAction64.f03) { if case .f03(let it) = $0 { it } else { nil } }
  static let f04 = Prism(case: WideAction64.f04) { if case .f04(let it) = $0 { it } else { nil } }
  static let f05 = Prism(case: WideAction64.f05) { if case .f05(let it) = $0 { it } else { nil } }
  static let f06 = Prism(case: WideAction64.f06) { if case .f06(let it) = $0 { it } else { nil } }
  static let f07 = Prism(case: WideAction64.f07) { if case .f07(let it) = $0 { it } else { nil } }
  static let f08 = Prism(case: WideAction64.f08) { if case .f08(let it) = $0 { it } else { nil } }
  static let f09 = Prism(case: WideAction64.f09) { if case .f09(let it) = $0 { it } else { nil } }
  static let f10 = Prism(case: WideAction64.f10) { if case .f10(let it) = $0 { it } else { nil } }
  static let f11 = Prism(case: WideAction64.f11) { if case .f11(let it) = $0 { it } else { nil } }
  static let f12 = Prism(case: WideAction64.f12) { if case .f12(let it) = $0 { it } else { nil } }
  static let f13 = Prism(case: WideAction64.f13) { if case .f13(let it) = $0 { it } else { nil } }
  static let f14 = Prism(case: WideAction64.f14) { if case .f14(let it) = $0 { it } else { nil } }
  static let f15 = Prism(case: WideAction64.f15) { if case .f15(let it) = $0 { it } else { nil } }
  static let f16 = Prism(case: WideAction64.f16) { if case .f16(let it) = $0 { it } else { nil } }
  static let f17 = Prism(case: WideAction64.f17) { if case .f17(let it) = $0 { it } else { nil } }
  static let f18 = Prism(case: WideAction64.f18) { if case .f18(let it) = $0 { it } else { nil } }
  static let f19 = Prism(case: WideAction64.f19) { if case .f19(let it) = $0 { it } else { nil } }
  static let f20 = Prism(case: WideAction64.f20) { if case .f20(let it) = $0 { it } else { nil } }
  static let f21 = Prism(case: WideAction64.f21) { if case .f21(let it) = $0 { it } else { nil } }
  static let f22 = Prism(case: WideAction64.f22) { if case .f22(let it) = $0 { it } else { nil } }
  static let f23 = Prism(case: WideAction64.f23) { if case .f23(let it) = $0 { it } else { nil } }
  static let f24 = Prism(case: WideAction64.f24) { if case .f24(let it) = $0 { it } else { nil } }
  static let f25 = Prism(case: WideAction64.f25) { if case .f25(let it) = $0 { it } else { nil } }
  static let f26 = Prism(case: WideAction64.f26) { if case .f26(let it) = $0 { it } else { nil } }
  static let f27 = Prism(case: WideAction64.f27) { if case .f27(let it) = $0 { it } else { nil } }
  static let f28 = Prism(case: WideAction64.f28) { if case .f28(let it) = $0 { it } else { nil } }
  static let f29 = Prism(case: WideAction64.f29) { if case .f29(let it) = $0 { it } else { nil } }
  static let f30 = Prism(case: WideAction64.f30) { if case .f30(let it) = $0 { it } else { nil } }
  static let f31 = Prism(case: WideAction64.f31) { if case .f31(let it) = $0 { it } else { nil } }
  static let f32 = Prism(case: WideAction64.f32) { if case .f32(let it) = $0 { it } else { nil } }
  static let f33 = Prism(case: WideAction64.f33) { if case .f33(let it) = $0 { it } else { nil } }
  static let f34 = Prism(case: WideAction64.f34) { if case .f34(let it) = $0 { it } else { nil } }
  static let f35 = Prism(case: WideAction64.f35) { if case .f35(let it) = $0 { it } else { nil } }
  static let f36 = Prism(case: WideAction64.f36) { if case .f36(let it) = $0 { it } else { nil } }
  static let f37 = Prism(case: WideAction64.f37) { if case .f37(let it) = $0 { it } else { nil } }
  static let f38 = Prism(case: WideAction64.f38) { if case .f38(let it) = $0 { it } else { nil } }
  static let f39 = Prism(case: WideAction64.f39) { if case .f39(let it) = $0 { it } else { nil } }
  static let f40 = Prism(case: WideAction64.f40) { if case .f40(let it) = $0 { it } else { nil } }
  static let f41 = Prism(case: WideAction64.f41) { if case .f41(let it) = $0 { it } else { nil } }
  static let f42 = Prism(case: WideAction64.f42) { if case .f42(let it) = $0 { it } else { nil } }
  static let f43 = Prism(case: WideAction64.f43) { if case .f43(let it) = $0 { it } else { nil } }
  static let f44 = Prism(case: WideAction64.f44) { if case .f44(let it) = $0 { it } else { nil } }
  static let f45 = Prism(case: WideAction64.f45) { if case .f45(let it) = $0 { it } else { nil } }
  static let f46 = Prism(case: WideAction64.f46) { if case .f46(let it) = $0 { it } else { nil } }
  static let f47 = Prism(case: WideAction64.f47) { if case .f47(let it) = $0 { it } else { nil } }
  static let f48 = Prism(case: WideAction64.f48) { if case .f48(let it) = $0 { it } else { nil } }
  static let f49 = Prism(case: WideAction64.f49) { if case .f49(let it) = $0 { it } else { nil } }
  static let f50 = Prism(case: WideAction64.f50) { if case .f50(let it) = $0 { it } else { nil } }
  static let f51 = Prism(case: WideAction64.f51) { if case .f51(let it) = $0 { it } else { nil } }
  static let f52 = Prism(case: WideAction64.f52) { if case .f52(let it) = $0 { it } else { nil } }
  static let f53 = Prism(case: WideAction64.f53) { if case .f53(let it) = $0 { it } else { nil } }
  static let f54 = Prism(case: WideAction64.f54) { if case .f54(let it) = $0 { it } else { nil } }
  static let f55 = Prism(case: WideAction64.f55) { if case .f55(let it) = $0 { it } else { nil } }
  static let f56 = Prism(case: WideAction64.f56) { if case .f56(let it) = $0 { it } else { nil } }
  static let f57 = Prism(case: WideAction64.f57) { if case .f57(let it) = $0 { it } else { nil } }
  static let f58 = Prism(case: WideAction64.f58) { if case .f58(let it) = $0 { it } else { nil } }
  static let f59 = Prism(case: WideAction64.f59) { if case .f59(let it) = $0 { it } else { nil } }
  static let f60 = Prism(case: WideAction64.f60) { if case .f60(let it) = $0 { it } else { nil } }
  static let f61 = Prism(case: WideAction64.f61) { if case .f61(let it) = $0 { it } else { nil } }
  static let f62 = Prism(case: WideAction64.f62) { if case .f62(let it) = $0 { it } else { nil } }
  static let f63 = Prism(case: WideAction64.f63) { if case .f63(let it) = $0 { it } else { nil } }
}

extension Feature where Action == WideAction64, State == WideState64 {
  /// 64 lifted features.
  static var wide: Feature {
    let counter = Feature<CounterAction, Int>.counter
    return Feature {
      counter.lift(action: .f00, state: \.f00)
      counter.lift(action: .f01, state: \.f01)
      counter.lift(action: .f02, state: \.f02)
      counter.lift(action: .f03, state: \.f03)
      counter.lift(action: .f04, state: \.f04)
      counter.lift(action: .f05, state: \.f05)
      counter.lift(action: .f06, state: \.f06)
      counter.lift(action: .f07, state: \.f07)
      counter.lift(action: .f08, state: \.f08)
      counter.lift(action: .f09, state: \.f09)
      counter.lift(action: .f10, state: \.f10)
      counter.lift(action: .f11, state: \.f11)
      counter.lift(action: .f12, state: \.f12)
      counter.lift(action: .f13, state: \.f13)
      counter.lift(action: .f14, state: \.f14)
      counter.lift(action: .f15, state: \.f15)
      counter.lift(action: .f16, state: \.f16)
      counter.lift(action: .f17, state: \.f17)
      counter.lift(action: .f18, state: \.f18)
      counter.lift(action: .f19, state: \.f19)
      counter.lift(action: .f20, state: \.f20)
      counter.lift(action: .f21, state: \.f21)
      counter.lift(action: .f22, state: \.f22)
      counter.lift(action: .f23, state: \.f23)
      counter.lift(action: .f24, state: \.f24)
      counter.lift(action: .f25, state: \.f25)
      counter.lift(action: .f26, state: \.f26)
      counter.lift(action: .f27, state: \.f27)
      counter.lift(action: .f28, state: \.f28)
      counter.lift(action: .f29, state: \.f29)
      counter.lift(action: .f30, state: \.f30)
      counter.lift(action: .f31, state: \.f31)
      counter.lift(action: .f32, state: \.f32)
      counter.lift(action: .f33, state: \.f33)
      counter.lift(action: .f34, state: \.f34)
      counter.lift(action: .f35, state: \.f35)
      counter.lift(action: .f36, state: \.f36)
      counter.lift(action: .f37, state: \.f37)
      counter.lift(action: .f38, state: \.f38)
      counter.lift(action: .f39, state: \.f39)
      counter.lift(action: .f40, state: \.f40)
      counter.lift(action: .f41, state: \.f41)
      counter.lift(action: .f42, state: \.f42)
      counter.lift(action: .f43, state: \.f43)
      counter.lift(action: .f44, state: \.f44)
      counter.lift(action: .f45, state: \.f45)
      counter.lift(action: .f46, state: \.f46)
      counter.lift(action: .f47, state: \.f47)
      counter.lift(action: .f48, state: \.f48)
      counter.lift(action: .f49, state: \.f49)
      counter.lift(action: .f50, state: \.f50)
      counter.lift(action: .f51, state: \.f51)
      counter.lift(action: .f52, state: \.f52)
      counter.lift(action: .f53, state: \.f53)
      counter.lift(action: .f54, state: \.f54)
      counter.lift(action: .f55, state: \.f55)
      counter.lift(action: .f56, state: \.f56)
      counter.lift(action: .f57, state: \.f57)
      counter.lift(action: .f58, state: \.f58)
      counter.lift(action: .f59, state: \.f59)
      counter.lift(action: .f60, state: \.f60)
      counter.lift(action: .f61, state: \.f61)
      counter.lift(action: .f62, state: \.f62)
      counter.lift(action: .f63, state: \.f63)
    }
  }
}

/// The baseline `mutex` for 64 features.
final class WideMutexStore64: Sendable {
  private let contents = Mutex(WideState64())

  var state: WideState64 { contents.withLock { $0 } }

  func dispatch(_ action: WideAction64) {
    contents.withLock { state in
      switch action {
      case .f00(let action): reduceCounter(action, &state.f00)
      case .f01(let action): reduceCounter(action, &state.f01)
      case .f02(let action): reduceCounter(action, &state.f02)
      case .f03(let action): reduceCounter(action, &state.f03)
      case .f04(let action): reduceCounter(action, &state.f04)
      case .f05(let action): reduceCounter(action, &state.f05)
      case .f06(let action): reduceCounter(action, &state.f06)
      case .f07(let action): reduceCounter(action, &state.f07)
      case .f08(let action): reduceCounter(action, &state.f08)
      case .f09(let action): reduceCounter(action, &state.f09)
      case .f10(let action): reduceCounter(action, &state.f10)
      case .f11(let action): reduceCounter(action, &state.f11)
      case .f12(let action): reduceCounter(action, &state.f12)
      case .f13(let action): reduceCounter(action, &state.f13)
      case .f14(let action): reduceCounter(action, &state.f14)
      case .f15(let action): reduceCounter(action, &state.f15)
      case .f16(let action): reduceCounter(action, &state.f16)
      case .f17(let action): reduceCounter(action, &state.f17)
      case .f18(let action): reduceCounter(action, &state.f18)
      case .f19(let action): reduceCounter(action, &state.f19)
      case .f20(let action): reduceCounter(action, &state.f20)
      case .f21(let action): reduceCounter(action, &state.f21)
      case .f22(let action): reduceCounter(action, &state.f22)
      case .f23(let action): reduceCounter(action, &state.f23)
      case .f24(let action): reduceCounter(action, &state.f24)
      case .f25(let action): reduceCounter(action, &state.f25)
      case .f26(let action): reduceCounter(action, &state.f26)
      case .f27(let action): reduceCounter(action, &state.f27)
      case .f28(let action): reduceCounter(action, &state.f28)
      case .f29(let action): reduceCounter(action, &state.f29)
      case .f30(let action): reduceCounter(action, &state.f30)
      case .f31(let action): reduceCounter(action, &state.f31)
      case .f32(let action): reduceCounter(action, &state.f32)
      case .f33(let action): reduceCounter(action, &state.f33)
      case .f34(let action): reduceCounter(action, &state.f34)
      case .f35(let action): reduceCounter(action, &state.f35)
      case .f36(let action): reduceCounter(action, &state.f36)
      case .f37(let action): reduceCounter(action, &state.f37)
      case .f38(let action): reduceCounter(action, &state.f38)
      case .f39(let action): reduceCounter(action, &state.f39)
      case .f40(let action): reduceCounter(action, &state.f40)
      case .f41(let action): reduceCounter(action, &state.f41)
      case .f42(let action): reduceCounter(action, &state.f42)
      case .f43(let action): reduceCounter(action, &state.f43)
      case .f44(let action): reduceCounter(action, &state.f44)
      case .f45(let action): reduceCounter(action, &state.f45)
      case .f46(let action): reduceCounter(action, &state.f46)
      case .f47(let action): reduceCounter(action, &state.f47)
      case .f48(let action): reduceCounter(action, &state.f48)
      case .f49(let action): reduceCounter(action, &state.f49)
      case .f50(let action): reduceCounter(action, &state.f50)
      case .f51(let action): reduceCounter(action, &state.f51)
      case .f52(let action): reduceCounter(action, &state.f52)
      case .f53(let action): reduceCounter(action, &state.f53)
      case .f54(let action): reduceCounter(action, &state.f54)
      case .f55(let action): reduceCounter(action, &state.f55)
      case .f56(let action): reduceCounter(action, &state.f56)
      case .f57(let action): reduceCounter(action, &state.f57)
      case .f58(let action): reduceCounter(action, &state.f58)
      case .f59(let action): reduceCounter(action, &state.f59)
      case .f60(let action): reduceCounter(action, &state.f60)
      case .f61(let action): reduceCounter(action, &state.f61)
      case .f62(let action): reduceCounter(action, &state.f62)
      case .f63(let action): reduceCounter(action, &state.f63)
      }
    }
  }
}
