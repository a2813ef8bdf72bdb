import Foundation

#if canImport(HealthKit)
    import HealthKit
#else
    import RigHealth
#endif

/// Requests permission to read steps, and prints the count since boot.
struct StepLog {
    func show() {
        guard HKHealthStore.isHealthDataAvailable() else { return Self.end("no health data", 2) }
        let store = HKHealthStore()
        let steps = HKQuantityType(.stepCount)
        store.requestAuthorization(toShare: nil, read: [steps]) { isDone, error in
            guard isDone else { return Self.end("not asked: \(error as Any)", 1) }
            let predicate = HKQuery.predicateForSamples(withStart: .distantPast, end: Date())
            let query = HKStatisticsQuery(
                quantityType: steps, quantitySamplePredicate: predicate, options: .cumulativeSum
            ) { _, statistics, error in
                guard let sum = statistics?.sumQuantity() else { return Self.end("error \(error as Any)", 1) }
                Self.end("steps \(Int(sum.doubleValue(for: .count())))", 0)
            }
            store.execute(query)
        }
    }

    private static func end(_ words: String, _ status: Int32) {
        line(words)
        exit(status)
    }
}
