import Rendering
import Readiness
import SystemServices

/// The document `rigready.consent/1`, also as text.
struct ConsentReport: Encodable {
    struct Line: Encodable {
        var id: String
        var title: String
        var services: [String]
        var required: Bool
        var purpose: String
        var needs: String
        @Nullable var found: String?
        var status: String
        @Nullable var accepted: Bool?
        @Nullable var granted: Bool?
        var evidence: String
        @Nullable var remedy: String?
        var change: String
    }

    var schema = "rigready.consent/1"
    var permissions: [Line]
    var exitStatus: Int32

    /// Creates the report of the current states.
    init(_ stops: [ConsentStop], _ permissioner: SystemServicePermissioner) throws(SystemServiceError) {
        permissions = []
        for stop in stops {
            let state = permissioner.state(of: stop.service)
            let answer = try permissioner.answer(about: stop.service)
            let isOpen = try permissioner.isOpen(stop.service, evenIfAllowed: true)
            permissions.append(
                Line(
                    id: stop.service.id, title: stop.service.title, services: stop.wanting.members.map(\.id),
                    required: stop.isRequired, purpose: stop.service.usage, needs: stop.service.backing,
                    found: stop.found,
                    status: isOpen ? ServiceState.SystemServiceStatus.notDetermined.rawValue : state.status.rawValue,
                    accepted: answer.map { $0 == .accepted },
                    granted: isOpen || state.status == .unknown || state.status == .notDetermined
                        ? nil : state.isGranted,
                    evidence: state.evidence, remedy: state.remedies.commandLine, change: stop.service.howToChange))
        }
        exitStatus =
            permissions.contains { $0.granted == false } ? 1 : permissions.contains { $0.granted == nil } ? 2 : 0
    }

    /// One line per permission, below it what changes it if it is not granted.
    func text(on terminal: Terminal) -> String {
        var page = Page(terminal)
        let width = (permissions.map(\.title.columns).max() ?? 0) + 2
        for line in permissions {
            let (sign, style): (String, Terminal.Style) =
                switch line.granted {
                case true?: ("✓ ", .good)
                case false?: ("✗ ", .bad)
                case nil: ("? ", .doubtful)
                }
            let answer = line.accepted.map { $0 ? ", accepted" : ", refused" } ?? ""
            page.row(
                [
                    (sign, style), (line.title.padded(to: width), .strong),
                    ((line.status + answer).padded(to: 26), style),
                ],
                rest: line.evidence, style: .faint)
            if line.granted != true, let remedy = line.remedy { page.remedy(6, remedy) }
        }
        if permissions.isEmpty { page.hanging(0, "no wanted service needs a permission", nil) }
        return page.text
    }
}
