import DriverKit
import Foundation
import LocalRig
import Readiness
import Synchronization
import Support
import Testing
@testable import rigready_web

/// What viewers of the board receive.
@Suite struct BoardFeedTests {
    @Test func `an event has each line of its data in a field`() {
        let event = ServerSentEvent.text("report", id: 7, data: "<main>\nevent: forged\r\rid: 9\r\n</main>")
        #expect(
            event
                == "event: report\nid: 7\ndata: <main>\ndata: event: forged\ndata: \ndata: id: 9\ndata: </main>\n\n")
    }

    @Test func `a viewer receives the newest state once and a bounded number of signals`() throws {
        let viewer = BoardViewer()
        let assessment = try LocalRig(recording: "demo").assess()
        viewer.show(BoardSnapshot(assessment, number: 1, changes: ["one"]).event)
        viewer.show(BoardSnapshot(assessment, number: 2, changes: ["two"]).event)
        for number in 0..<1000 { viewer.add("signal \(number)\n") }
        let text = viewer.take()
        #expect(text.hasPrefix(ServerSentEvent.retry))
        #expect(text.contains("id: 2\n") && !text.contains("id: 1\n"))
        #expect(text.contains("signal 999\n") && text.contains("signal 960\n") && !text.contains("signal 959\n"))
        #expect(viewer.take() == "")
    }

    @Test func `a viewer who receives nothing is noticed, one who has nothing to receive is not`() throws {
        let viewer = BoardViewer()
        _ = viewer.take()
        for _ in 0..<5 {
            #expect(viewer.beat())
            #expect(viewer.take() == ServerSentEvent.heartbeat)
            viewer.finishSending()
        }
        viewer.add("x")
        #expect(viewer.take() == "x")
        // Being sent, and again at the second sign of life.
        #expect(viewer.beat())
        #expect(!viewer.beat())
    }

    @Test func `viewers are bounded, and one who leaves makes room`() throws {
        let feed = try BoardFeed(try LocalRig(recording: "demo"), resample: nil, complain: { _ in })
        let viewers = (0..<BoardFeed.viewerLimit).compactMap { _ in feed.addViewer() }
        #expect(viewers.count == BoardFeed.viewerLimit)
        #expect(feed.addViewer() == nil)
        // Whoever needs no permission cannot take the places of those who have one, nor these each other's.
        let guarded = (0..<BoardFeed.viewerLimit).compactMap { _ in feed.addViewer(isGuarded: true) }
        #expect(guarded.count == BoardFeed.viewerLimit)
        #expect(feed.addViewer(isGuarded: true) == nil)
        feed.remove(viewers[0])
        #expect(feed.addViewer() != nil)
        feed.end()
    }

    @Test func `a page is complete, and says each change`() throws {
        let feed = try BoardFeed(try LocalRig(recording: "field-kit"), resample: nil, complain: { _ in })
        try feed.run { feed.end() }
        let snapshot = try #require(feed.snapshot)
        #expect(snapshot.number == 1)
        #expect(snapshot.page.contains("11 of 13 services fail") && snapshot.page.contains("Last changes"))
        #expect(snapshot.metrics.contains("# TYPE"))
        #expect(try snapshot.report.contains("rigready.report/1"))
        let viewer = try #require(feed.addViewer())
        #expect(viewer.take().contains("event: report\n"))
    }

    @Test func `a recorded rig has no signals`() throws {
        let rig = try LocalRig(recording: "demo")
        #expect(LiveSignals.sensors(of: rig, in: try rig.assess()).isEmpty)
    }
}

/// The code that a phone reads from a terminal.
@Suite struct QRCodeTests {
    @Test func `a code has its three finders and its margin`() throws {
        let code = try #require(QRCode("http://192.0.2.5:8710/?token=\(String(repeating: "a", count: 64))"))
        let lines = code.lines.map { $0.dropFirst("\u{1b}[30;107m".count).dropLast("\u{1b}[0m".count) }
        let width = try #require(lines.first).count
        #expect(lines.allSatisfy { $0.count == width })
        // The margin, then a finder at the left and one at the right: seven cells.
        #expect(lines[0].allSatisfy { $0 == " " } && lines[1].allSatisfy { $0 == " " })
        #expect(lines[2].hasPrefix("    █▀▀▀▀▀█") && lines[2].hasSuffix("█▀▀▀▀▀█    "))
    }

    /// Version 40 at level L, in eight-bit mode: ISO/IEC 18004, table 7.
    @Test func `a code holds 2953 bytes and no more`() {
        #expect(QRCode(String(repeating: "a", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "a", count: 2954)) == nil)
    }
}
