import Testing

@Suite struct ScenarioTests {
    @Test func `every scenario shows what it claims`() throws { try Bench.boot.get() }
}
