import ReeluxCore
import ReeluxTesting
import ReeluxFavorites
import Testing

@Test func aRefusedFavouriteIsTakenBack() async {
  let refusing = FavoritesAPI<Int>.mock(failures: FavoritesFailures(rate: 1, kinds: [.refused]))
  let store = TestStore(
    initialState: FavoritesState<Int>(), feature: .favorites(api: refusing), exhaustivity: [.runningEffects])

  await store.send(.toggle(1))
  #expect(store.state.contains(1))  // shown at once

  await store.receive(where: { if case .response(.failed) = $0 { true } else { false } })
  #expect(!store.state.contains(1))  // taken back, with the reason
  #expect(store.state.failure(of: 1)?.kind == .refused)
  await store.assertFinished()
}
