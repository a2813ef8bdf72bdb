import LocalRig
import Testing

@Suite("Invalid configurations")
struct RefusalTests {
    @Test(arguments: [
        (
            "services:\n  - walking\n  - drivng\n",
            "3:5: expected a service name, found \"drivng\" (did you mean \"driving\"?)"
        ),
        (
            "quality: {acelerometer: {}}",
            "1:11: expected one of the kinds whose quality is measured, or profile, found \"acelerometer\" "
                + "(did you mean \"accelerometer\"?)"
        ),
        (
            "quality:\n  gyroscope:\n    gravityWithin: 1",
            "3:5: expected one of the limits of a gyroscope, found \"gravityWithin\""
        ),
        (
            "quality: {gyroscope: {maximumNoise: -1}}",
            "1:37: expected a standard deviation in rad/s above 0, found \"-1\""
        ),
        (
            "quality: {accelerometer: {maximumGaps: 0.5}}",
            "1:40: expected a whole number of gaps from 0 to 1000000, found \"0.5\""
        ),
        (
            "quality: {profile: andriod}",
            "1:20: expected standard, android, automotive or px4, found \"andriod\" (did you mean \"android\"?)"
        ),
        (
            "broker: [mqtt://n1, http://n2]",
            "1:21: expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"
        ),
        (
            "broker: mqtts://rig:secret@lab",
            "1:9: expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]; user and password are in the configuration's "
                + "passwordFile"
        ),
        ("broker: []", "1:9: expected 1 to 32 brokers, found 0"),
        (
            "broker:\n  url: mqtt://lab",
            "2:3: expected one of the keys of a broker, found \"url\" (did you mean \"urls\"?)"
        ),
        (
            "broker: {urls: [mqtt://lab], keyFile: k}",
            "1:30: expected certificateFile in addition to keyFile, found none"
        ),
        ("quality: 100", "1:10: expected a mapping of kinds whose quality is measured, or profile, found \"100\""),
        ("accept: gyroscope", "1:9: expected a list of accepted findings, found \"gyroscope\""),
        (
            "accept: [{id: gyroscope, until: 2026-12-31}]",
            "1:10: expected id, reason and until in an accepted finding, found no reason"
        ),
        (
            "accept:\n  - id: gyroscpe\n    reason: r\n    until: 2026-12-31",
            "2:9: expected a requirement such as gyroscope, or one with its cause such as gyroscope.absent, "
                + "found \"gyroscpe\" (did you mean \"gyroscope\"?)"
        ),
        (
            "accept: [{id: gyroscope.absnt, reason: r, until: 2026-12-31}]",
            "1:15: expected a requirement such as gyroscope, or one with its cause such as gyroscope.absent, "
                + "found \"gyroscope.absnt\" (did you mean \"gyroscope.absent\"?)"
        ),
        (
            "accept: [{id: gyroscope, reason: r, until: 2026-02-29}]",
            "1:44: expected the last day as YEAR-MONTH-DAY, such as 2026-12-31, found \"2026-02-29\""
        ),
        (
            "accept: [{id: motion, reason: a, until: 2026-12-31}, {id: motion, reason: b, until: 2026-12-31}]",
            "1:59: expected each finding once, found motion again (first in line 1)"
        ),
        (
            "accept: [{id: motion, reason: a, untill: 2026-12-31}]",
            "1:34: expected one of the keys of an accepted finding, found \"untill\" (did you mean \"until\"?)"
        ),
        ("services: []", "1:11: expected at least one service, found none"),
        ("services: {}", "1:11: expected at least one service, found none"),
        ("services:", "1:10: expected a list of services, found nothing"),
        ("services: all", "1:11: expected a list of services, found \"all\""),
        ("services: [[driving]]", "1:12: expected a service name, found a list"),
        ("services: [~]", "1:12: expected a service name, found nothing"),
        ("services: [driving, DRIVING]", "1:21: expected each service once, found driving again (first in line 1)"),
        (
            "services:\n- dfd\n- walking",
            "2:3: expected driving with driving.distractionFreeDriving, which exists only inside it"
        ),
        (
            "services: [walking.location]",
            "1:12: expected walking with walking.location, which exists only inside it"
        ),
        (
            "services: [driving: [location]]",
            "1:22: expected a sub-service of driving, found \"location\""
        ),
        (
            "services: [driving: [dfdd]]",
            "1:22: expected a sub-service of driving, found \"dfdd\" (did you mean \"dfd\"?)"
        ),
        ("services: [cycling: [dfd]]", "1:22: expected a sub-service of cycling, found \"dfd\""),
        ("services: [driving: dfd]", "1:21: expected a list of sub-services, found \"dfd\""),
        (
            "services: [dfd: []]",
            "1:12: expected the name of a service that is no sub-service, found \"dfd\""
        ),
        (
            "timelineDetectionServices: [walking]\ndrivingServices: [dfd]",
            "2:19: expected driving with driving.distractionFreeDriving, which exists only inside it"
        ),
        (
            "timelineDetectionServices: [dfd]",
            "1:29: expected the name of a service that is no sub-service, found \"dfd\""
        ),
        ("timelineDetectionServices: []", "1:28: expected at least one service, found none"),
        (
            "services: [driving]\nwalkingServices: [location]",
            "2:1: expected either services or separate lists, found \"walkingServices\" too"
        ),
        (
            "rules: 2.0\nservices: [driving: [deviceDiscovery]]",
            "2:22: expected a service of rules 2.0, found \"deviceDiscovery\" (since 2.4)"
        ),
        ("rules: 1.x\nservices: [places]", "2:12: expected a service of rules 1.x, found \"places\" (since 2.0)"),
        ("licence: [drivin]", "1:11: expected a service name, found \"drivin\" (did you mean \"driving\"?)"),
        ("licence: driving", "1:10: expected a list of services, found \"driving\""),
    ])
    func `invalid services are refused`(text: String, expected: String) {
        #expect(refusal(text) == "rig.yaml:" + expected)
    }

    @Test(arguments: [
        ("options: 1", "1:10: expected a mapping of options, found \"1\""),
        (
            "options:\n  motionPermisionMandatory: true",
            "2:3: expected one of the options, found \"motionPermisionMandatory\" "
                + "(did you mean \"motionPermissionMandatory\"?)"
        ),
        (
            "options: {motionPermissionMandatory: yes}",
            "1:38: expected true or false, found \"yes\" (did you mean \"true\"?)"
        ),
        (
            "options: {motionPermissionMandatory: Off}",
            "1:38: expected true or false, found \"Off\" (did you mean \"false\"?)"
        ),
        (
            "options: {motionPermissionMandatory: 'true'}",
            "1:38: expected true or false without quotes, found \"true\" (did you mean \"true\"?)"
        ),
        ("options: {motionPermissionMandatory: }", "1:38: expected true or false, found nothing"),
        ("options: {motionPermissionMandatory: [true]}", "1:38: expected true or false, found a list"),
        (
            "options:\n  motionPermissionMandatory: true\n  motionPermissionRequired: true",
            "3:3: expected each key once, found \"motionPermissionRequired\" and \"motionPermissionMandatory\" in line 2"
        ),
        (
            "rules: 2.5\noptions: {backgroundLocationPermissionMandatory: false}",
            "2:11: expected an option of rules 2.5, found \"backgroundLocationPermissionMandatory\" (since 2.6)"
        ),
        (
            "rules: 1.x\noptions: {motionPermissionRequired: true}",
            "2:11: expected an option of rules 1.x, found \"motionPermissionRequired\" (since 2.4)"
        ),
        (
            "rules: 2.4\noptions: {useBackendConfig: true}",
            "2:11: expected an option of rules 2.4, found \"useBackendConfig\" (since 2.5)"
        ),
        ("options: {useBackendConfig: 1}", "1:29: expected true or false, found \"1\" (did you mean \"true\"?)"),
        (
            "options: {deviceDiscovery: {startDelay: 119}}",
            "1:41: expected at least 120 seconds, found \"119\""
        ),
        (
            "options: {deviceDiscovery: {duration: 0}}",
            "1:39: expected a number of seconds above 0, found \"0\""
        ),
        (
            "options: {deviceDiscovery: {interval: .nan}}",
            "1:39: expected a number of seconds above 0, found \".nan\""
        ),
        (
            "options: {deviceDiscovery: {interval: 0x10}}",
            "1:39: expected a number of seconds above 0, found \"0x10\""
        ),
        (
            "options: {deviceDiscovery: {interval: 1e999}}",
            "1:39: expected a number of seconds above 0, found \"1e999\""
        ),
        (
            "options: {deviceDiscovery: {interval: \"300\"}}",
            "1:39: expected a number of seconds above 0, found \"300\""
        ),
        (
            "options: {deviceDiscovery: {delay: 300}}",
            "1:29: expected one of the options of device discovery, found \"delay\""
        ),
    ])
    func `invalid options are refused`(text: String, expected: String) {
        #expect(refusal(text) == "rig.yaml:" + expected)
    }

    @Test(arguments: [
        ("rules: 3.0", "1:8: expected a version such as 1.x or 2.14, found \"3.0\""),
        ("rules: v2.4", "1:8: expected a version such as 1.x or 2.14, found \"v2.4\" (did you mean \"2.4\"?)"),
        ("rules: newest", "1:8: expected a version such as 1.x or 2.14, found \"newest\""),
        ("rules: [2.4]", "1:8: expected a version such as 1.x or 2.14, found a list"),
        (
            "require: {gyro: x, gyroscop: y}",
            "1:11: expected one of the kinds of sensor, found \"gyro\""
        ),
        (
            "require:\n  gyroscop: y",
            "2:3: expected one of the kinds of sensor, found \"gyroscop\" (did you mean \"gyroscope\"?)"
        ),
        ("require: {gyroscope: }", "1:22: expected the key or name of a sensor, found nothing"),
        ("require: [gyroscope]", "1:10: expected a mapping of kinds of sensor, found a list"),
        (
            "purposes: {locaton: x}",
            "1:12: expected one of the permissions, found \"locaton\" (did you mean \"location\"?)"
        ),
        ("purposes: {location: {}}", "1:22: expected a text, found a mapping"),
        (
            "servces: [driving]",
            "1:1: expected one of the keys of a configuration, found \"servces\" (did you mean \"services\"?)"
        ),
        ("licence: []\nlicense: []", "2:1: expected each key once, found \"license\" and \"licence\" in line 1"),
        ("[driving]", "1:1: expected a mapping of keys of a configuration, found a list"),
        ("driving", "1:1: expected a mapping of keys of a configuration, found \"driving\""),
        ("<<: {rules: 2.4}", "1:1: expected one of the keys of a configuration, found \"<<\""),
    ])
    func `invalid rules, pins, purposes and keys are refused`(text: String, expected: String) {
        #expect(refusal(text) == "rig.yaml:" + expected)
    }
}

/// The place of the fault, where the parser notices it elsewhere.
@Suite struct PlaceTests {
    @Test(arguments: [
        ("services: [driving", 1, 11), ("a: 1\nservices: [driving\n", 2, 11), ("services: \"driving\n", 1, 11),
        ("services:\n  - driving\n  cycling\n", 3, 3),
    ])
    func `an unclosed value is reported where it begins`(text: String, line: Int, column: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try RigConfiguration(parsing: Array(text.utf8), file: "f")
        }
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test func `an undecodable byte is reported with its line`() {
        let cut = #expect(throws: ConfigurationError.self) {
            try RigConfiguration(parsing: Array("services: [driving]\rrules: ".utf8) + [0xff], file: "f")
        }
        #expect(cut?.line == 2 && cut?.column == 8)
        let marked = #expect(throws: ConfigurationError.self) {
            try RigConfiguration(parsing: [0xef, 0xbb, 0xbf] + Array("rules: ".utf8) + [0xff], file: "f")
        }
        #expect(marked?.line == 1 && marked?.column == 8)
    }
}
