internal import DriverKit
public import Foundation
internal import Permissions
internal import Readiness
internal import PhoneKit

/// Whether this process may write a kind of data.
@nonexhaustive(warn)
public enum HKAuthorizationStatus: Int, Sendable {
    /// Nothing is decided yet.
    case notDetermined = 0
    /// It may not; nothing can be written to a rig.
    case sharingDenied = 1
    /// It may; never returned on a rig.
    case sharingAuthorized = 2
}

/// Whether a request would ask the user anything.
@nonexhaustive(warn)
public enum HKAuthorizationRequestStatus: Int, Sendable {
    /// It is unknown.
    case unknown = 0
    /// It would.
    case shouldRequest = 1
    /// It would not.
    case unnecessary = 2
}

/// This rig's health data: the count of its step counter.
open class HKHealthStore: NSObject, @unchecked Sendable {
    // Both are safe to use from any thread.
    private let rig: PhoneRig
    private let recorder: StepRecorder

    /// Creates a store of this process's rig, and reads the counter once if that is allowed, as the first reading.
    public override init() {
        rig = .current
        recorder = rig.attachment(StepRecorder.self) { StepRecorder($0) }
        super.init()
        begin()
    }

    /// Whether the rig lists a step counter; independent of permission.
    open class func isHealthDataAvailable() -> Bool {
        PhoneRig.current.attachment(StepRecorder.self) { StepRecorder($0) }.isListed
    }

    /// Whether a type may be written: never on a rig.
    ///
    /// It says nothing about reading, as on a phone.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        rig.state.authorizations.health.status == .notDetermined ? .notDetermined : .sharingDenied
    }

    // MARK: Asking

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
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            request(typesToRead) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Reports whether a request would ask.
    open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let completion = Callback(call: completion)
        let isStarted = Worker.start { [self] in completion.call(requestStatus(typesToRead), nil) }
        if !isStarted { completion.call(.unknown, HKError(.unknownError, "no thread can be started")) }
    }

    /// Returns whether a request would ask.
    open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        requestStatus(typesToRead)
    }

    private func requestStatus(_ types: Set<HKObjectType>) -> HKAuthorizationRequestStatus {
        types.contains(HKQuantityType(.stepCount)) && rig.state.authorizations.health.status == .notDetermined
            ? .shouldRequest : .unnecessary
    }

    private func request(_ types: Set<HKObjectType>, _ then: @escaping @Sendable (HKError?) -> Void) {
        let isStarted = Worker.start { [self] in
            guard recorder.isListed else {
                return then(HKError(.errorHealthDataUnavailable, "this rig has no step counter"))
            }
            guard types.contains(HKQuantityType(.stepCount)) else { return then(nil) }
            let health = rig.state.authorizations.health
            switch health.status {
            case .restricted:
                then(HKError(.errorHealthDataRestricted, health.evidence, remedy: health.remedies.words))
            case .denied, .allowed:
                then(nil)
            case .notDetermined:
                rig.request(.health) { [self] answered in
                    if case .ignored(let reason) = answered {
                        return then(HKError(.errorAuthorizationNotDetermined, reason))
                    }
                    guard rig.state.authorizations.health.status != .notDetermined else {
                        return then(HKError(.errorUserCanceled, "the question was dismissed without an answer"))
                    }
                    begin()
                    then(nil)
                }
            }
        }
        if !isStarted { then(HKError(.unknownError, "no thread can be started")) }
    }

    // MARK: Reading

    /// Runs a query; its handler is called once, on a thread of the library.
    open func execute(_ query: HKQuery) {
        let isStarted = Worker.start { [self] in
            if let fault = query.fault ?? refusal { return query.answer(.failure(fault)) }
            guard let time = query.time else { return }
            recorder.steps(in: time) { query.answer($0) }
        }
        if !isStarted { query.answer(.failure(HKError(.unknownError, "no thread can be started"))) }
    }

    /// Does nothing: a query runs once and ends soon.
    open func stop(_ query: HKQuery) {}

    /// Why steps may not be read; nil if they may.
    private var refusal: HKError? {
        let health = rig.state.authorizations.health
        let code: HKError.Code
        switch health.status {
        case .allowed: return nil
        case .notDetermined: code = .errorAuthorizationNotDetermined
        case .restricted: code = .errorHealthDataRestricted
        case .denied: code = .errorAuthorizationDenied
        }
        return HKError(code, "steps may not be read: \(health.evidence)", remedy: health.remedies.words)
    }

    /// Reads the counter once, as the first reading.
    private func begin() {
        _ = Worker.start { [self] in
            if refusal == nil { recorder.steps(in: AskedTime(start: nil, end: nil)) { _ in } }
        }
    }
}

// An app's handler, called once.
private struct Callback<Value>: @unchecked Sendable {
    let call: (Value, (any Error)?) -> Void
}
