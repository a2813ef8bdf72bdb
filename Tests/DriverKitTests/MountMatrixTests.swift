import DriverKit
import Readiness
import Testing

@Suite struct MountMatrixTests {
    @Test(
        arguments: [
            ("1, 0, 0; 0, 1, 0; 0, 0, 1", false), ("0, -1, 0; 1, 0, 0; 0, 0, 1", false),
            ("-1, 0, 0; 0, -1, 0; 0, 0, 1", false), ("1, 0, 0; 0, -1, 0; 0, 0, 1", true),
            ("0, 1, 0; 1, 0, 0; 0, 0, 1", true), ("-1, 0, 0; 0, -1, 0; 0, 0, -1", true),
        ])
    func `a matrix of determinant -1 mirrors, which is reported`(text: String, mirrors: Bool) throws {
        let matrix = try #require(MountMatrix(Array(text.utf8)))
        #expect(matrix.isMirroring == mirrors)
        let sensor = Sensor(key: "i2c-1/1-0068", kind: .accelerometer, name: "bmi160", driver: "iio")
        let notice = matrix.notice(of: sensor)
        #expect(notice?.id == (mirrors ? .mirroredMatrix : nil) && notice?.sensor == (mirrors ? sensor.key : nil))
    }
}
