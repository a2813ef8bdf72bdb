internal import Linux
internal import DriverKit
internal import FoundationEssentials
internal import Glibc
internal import Readiness
internal import SystemPackage

/// The report of the running service, if it is valid.
package struct CachedReport: Sendable {
    package static let defaultFile = "/run/rigready/report.json"
    private static let limit = 4 << 20
    /// The most values in a report: that of a thousand chips has half as many.
    package static let valueLimit = 200_000

    /// The inventory, with the access of the service.
    package let inventory: Inventory
    /// The start of its probe.
    let takenAt: String

    /// Why a report cannot be used; all other errors of the file are a `LocalRigError`.
    struct Unusable: Error {
        let reason: String
    }

    private struct PublishedDocument: Decodable {
        struct Rig: Decodable { var boot: String }
        var version, takenAt: String
        var rig: Rig
        var inventory: Inventory
    }

    /// Reads a service's file; throws if it is no report.
    static func read(_ file: String, maximumAge: Duration) throws(LocalRigError) -> Result<CachedReport, Unusable> {
        do {
            return .success(try CachedReport(file, maximumAge: maximumAge))
        } catch let unusable as Unusable {
            return .failure(unusable)
        } catch let error as LocalRigError {
            throw error
        } catch let errno as Errno {
            throw LocalRigError(.unusableFile, "\(file): \(errno.clause); expected the report of a running service")
        } catch {
            throw LocalRigError(
                .unusableFile, "\(file): expected the report of a running service of version \(Release.version)")
        }
    }

    /// Reads the file of a running service, of this boot, that confirmed it at most `maximumAge` ago.
    init(_ file: String, maximumAge: Duration) throws {
        guard InputFile.exists(file, following: true) else {
            throw Unusable(reason: "\(file): no service publishes a report here")
        }
        let opened = try Self.held(file)
        defer { try? opened.close() }
        let spoke = try Stat(opened).st_mtim
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = Double(now.tv_sec - spoke.tv_sec) + Double(now.tv_nsec - spoke.tv_nsec) / 1e9
        guard abs(age) <= maximumAge.seconds else {
            let seconds = (abs(age) * 10).rounded() / 10
            throw Unusable(
                reason: age < 0
                    ? "\(file): confirmed \(seconds) s in the future: the clock was set back"
                    : "\(file): last confirmed \(seconds) s ago (--max-age \(maximumAge.seconds))")
        }
        // The file that was checked: the name may refer to a different one by now.
        let bytes = try InputFile.read(
            "/proc/self/fd/\(opened.rawValue)", limit: Self.limit, expecting: "the report of a running service")
        try self.init(parsing: bytes, file: file, boot: RigIdentity.live().boot)
    }

    /// Parses a report of this version and of a boot; throws `Unusable` for another one, and why it is no report.
    package init(parsing bytes: [UInt8], file: String, boot: String) throws {
        guard bytes.hasAtMost(jsonValues: Self.valueLimit) else {
            throw LocalRigError(.unusableFile, "\(file): expected a report of at most \(Self.valueLimit) values")
        }
        let document = try JSONDecoder().decode(PublishedDocument.self, from: Data(bytes))
        guard document.rig.boot == boot else {
            throw Unusable(reason: "\(file): it was written before the last boot")
        }
        guard document.version == Release.version else {
            throw Unusable(
                reason:
                    "\(file): the service is of version \(document.version.singleLine.prefix(40)), this is \(Release.version)"
            )
        }
        guard document.inventory.drivers.allSatisfy({ (0...1e9).contains($0.elapsedMilliseconds) }) else {
            throw LocalRigError(
                .unusableFile, "\(file): expected a driver's elapsedMilliseconds between 0 and 1000000000")
        }
        inventory = document.inventory
        takenAt = document.takenAt
    }

    /// Opens the file that its writer holds locked; throws `Unusable` if there is no writer, and `Errno`.
    private static func held(_ file: String) throws -> FileDescriptor {
        for _ in 0..<8 {
            let opened = try FileDescriptor.open(FilePath(file), .readOnly, options: [.closeOnExec, .nonBlocking])
            guard let mine = try? Stat(opened), mine.type == .regular else {
                try? opened.close()
                throw LocalRigError(.unusableFile, "\(file): expected a regular file, the report of a running service")
            }
            // The writer holds the lock of its file as long as it runs.
            do {
                if try WriterLock.isHeld(opened) { return opened }
            } catch {
                try? opened.close()
                throw error
            }
            let isReplaced = (try? Stat(FilePath(file))).map { $0.inode != mine.inode } ?? false
            try? opened.close()
            // One that has just been replaced has no writer; its replacement has.
            if !isReplaced { break }
        }
        throw Unusable(reason: "\(file): the service that wrote it has ended")
    }
}

extension Inventory {
    /// Creates the inventory without a usable report: every kind of sensor is unknown.
    init(unknown reason: String, drivers: [any Driver]) {
        self.init(
            depth: .presence,
            drivers: drivers.map { DriverReport(name: $0.name, kinds: $0.kinds, state: .failed, detail: reason) },
            obstacles: drivers.flatMap { driver in
                driver.kinds.map { kind in
                    Obstacle(
                        kind: kind, cause: .indeterminate, detail: reason,
                        remedies: [.command("sudo systemctl restart rigready"), .option(.withoutCache)],
                        evidence: [Evidence(said: reason)],
                        driver: driver.name)
                }
            })
    }

    /// Returns the same rig with the access of a different user, who has only listed it.
    func seen(from listing: Inventory) -> Inventory {
        var seen = self
        for index in seen.sensors.indices {
            let sensor = seen.sensors[index]
            guard let own = listing.sensors.first(where: { $0.kind == sensor.kind && $0.key == sensor.key }) else {
                continue
            }
            seen.sensors[index].access = own.access
            seen.sensors[index].accessEvidence = own.accessEvidence
            seen.sensors[index].isAccessBySeat = own.isAccessBySeat
            seen.sensors[index].accessRemedies = own.accessRemedies
            // The evidence of the node is that of the other user.
            let rest = sensor.evidence.filter { !($0.path?.hasPrefix("/dev/") ?? false) }
            seen.sensors[index].evidence = rest + own.evidence.filter { !rest.contains($0) }
        }
        for index in seen.drivers.indices {
            guard let own = listing.drivers.first(where: { $0.name == seen.drivers[index].name }),
                own.access != .unknown
            else { continue }
            seen.drivers[index].access = own.access
            seen.drivers[index].accessEvidence = own.accessEvidence
            seen.drivers[index].accessRemedies = own.accessRemedies
        }
        return seen
    }
}
