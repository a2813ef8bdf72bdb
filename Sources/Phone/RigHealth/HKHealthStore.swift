internal import DriverKit
@_exported public import Foundation
internal import LocalRig
internal import PhoneKit
internal import Readiness
// Importing HealthKit also imports Foundation, so importing this module does.

/// Whether this process may write a kind of data; never authorized on a rig, to which nothing can be written.
@nonexhaustive(warn)
public enum HKAuthorizationStatus: Int, Sendable {
    case notDetermined, sharingDenied, sharingAuthorized
}

/// Whether a request would ask the user anything.
@nonexhaustive(warn)
public enum HKAuthorizationRequestStatus: Int, Sendable {
    case unknown, shouldRequest, unnecessary
}

/// This rig's health data: the count of its step counter.
open class HKHealthStore: NSObject, @unchecked Sendable {
    private let rig: PhoneRig
    private let recorder: StepRecorder

    /// Creates a store of this process's rig, and reads the counter once if that is allowed, as the first reading.
    public override init() {
        rig = .current
        recorder = .of(rig)
        super.init()
        begin()
    }

    /// Whether the rig lists a step counter; independent of permission.
    open class func isHealthDataAvailable() -> Bool { StepRecorder.of(.current).isListed }

    /// Whether a type may be written, never on a rig; says nothing about reading, as on a phone.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        [.notDetermined, .indeterminate].contains(rig.state.authorizations.health.status)
            ? .notDetermined : .sharingDenied
    }

    /// Asks the user, if there is something to ask and steps are to be read; writing is never granted.
    ///
    /// The handler receives true once the question is settled, whatever the answer, as on a phone; false with an
    /// `HKError` if it could not be asked. It is called on a thread of the library.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping (Bool, (any Error)?) -> Void
    ) {
        let completion = Callback(call: completion)
        request(typesToRead ?? []) { error in completion.call(error == nil, error) }
    }

    /// Asks the user, likewise; throws an `HKError` if the question could not be asked.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        let error = await withCheckedContinuation { continuation in
            request(typesToRead) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Reports whether a request would ask.
    open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let completion = Callback(call: completion)
        let isStarted = Worker.start { [self] in completion.call(requestStatus(typesToRead), nil) }
        if !isStarted { completion.call(.unknown, HKError.noThread) }
    }

    /// Returns whether a request would ask.
    open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        requestStatus(typesToRead)
    }

    private func requestStatus(_ types: Set<HKObjectType>) -> HKAuthorizationRequestStatus {
        guard types.contains(HKQuantityType(.stepCount)) else { return .unnecessary }
        return switch rig.state.authorizations.health.status {
        case .notDetermined: .shouldRequest
        case .indeterminate: .unknown
        case .restricted, .denied, .allowed: .unnecessary
        }
    }

    private func request(_ types: Set<HKObjectType>, _ then: @escaping @Sendable (HKError?) -> Void) {
        let isStarted = Worker.start { [self] in
            guard recorder.isListed else { return then(.noCounter(rig.state)) }
            guard types.contains(HKQuantityType(.stepCount)) else { return then(nil) }
            let health = rig.state.authorizations.health
            @Sendable func refuse(_ code: HKError.Code, _ reason: String) {
                then(HKError(code, reason, remedy: rig.state.remedyForHealth))
            }
            switch health.status {
            case .restricted: refuse(.errorHealthDataRestricted, health.evidence)
            case .denied, .allowed, .indeterminate: then(nil)
            case .notDetermined:
                rig.request(.health) { [self] answered in
                    if case .ignored(let reason) = answered { return refuse(.errorAuthorizationNotDetermined, reason) }
                    guard rig.state.authorizations.health.status != .notDetermined else {
                        return refuse(.errorUserCanceled, "the question was dismissed without an answer")
                    }
                    begin()
                    then(nil)
                }
            }
        }
        if !isStarted { then(.noThread) }
    }

    /// Runs a query; its handler is called once, on a thread of the library.
    open func execute(_ query: HKQuery) {
        let isStarted = Worker.start { [self] in
            do throws(HKError) {
                let time = try query.checkedTime()
                if let refusal = HKError(rig.state) { throw refusal }
                recorder.steps(in: time) { query.answer($0) }
            } catch {
                query.answer(.failure(error))
            }
        }
        if !isStarted { query.answer(.failure(.noThread)) }
    }

    /// Does nothing: a query runs once and ends soon.
    open func stop(_ query: HKQuery) {}

    /// Reads the counter once, as the first reading.
    private func begin() {
        _ = Worker.start { [self] in
            if HKError(rig.state) == nil { recorder.steps(in: AskedTime()) { _ in } }
        }
    }
}

// An app's handler, called once.
private struct Callback<Value>: @unchecked Sendable {
    let call: (Value, (any Error)?) -> Void
}
