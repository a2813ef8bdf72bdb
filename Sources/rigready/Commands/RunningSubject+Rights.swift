import CommandOptions
import DriverKit
import LocalRig
import Rendering

extension LocalRig.Options {
    /// Evaluates each running unit and container in its place, one after the other; `begin` is called before each.
    func rightsOfRunning(
        _ begin: (_ number: (part: Int, whole: Int), _ subject: RunningSubject) -> Void
    ) throws(LocalRigError) -> RightsReport {
        guard Account.current.user == 0 else {
            throw LocalRigError(.invalidRequest, "--all-units needs root; try: sudo rigready permissions --all-units")
        }
        let identity = RigIdentity.live(as: .current)
        let subjects = RunningSubject.all()
        var lines: [RightsReport.SubjectLine] = []
        for (index, subject) in subjects.enumerated() {
            begin((index + 1, subjects.count), subject)
            lines.append(rights(of: subject))
        }
        return RightsReport(of: identity.host, at: identity.takenAt, lines)
    }

    /// By its process, so that nothing is started for a unit that has ended since it was listed.
    private func rights(of running: RunningSubject) -> RightsReport.SubjectLine {
        let (kind, name) = (running.kind.rawValue, running.name)
        func failure(_ words: String) -> RightsReport.SubjectLine {
            RightsReport.SubjectLine(kind: kind, name: name, process: running.process, failure: words)
        }
        guard let process = running.process else {
            return failure("its processes are in several control groups; see --as-pid")
        }
        var options = self
        options.subject = .process(process)
        do throws(LocalRigError) {
            let assessment = try LocalRig(options).assess()
            return RightsReport.SubjectLine(
                kind: kind, name: name, process: process, user: assessment.rig.user, assessment.authorizations)
        } catch {
            return failure(error.description)
        }
    }
}
