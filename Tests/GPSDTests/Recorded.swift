/// Lines sent by gpsd, recorded or according to its manual, of every protocol version in use.
enum Recorded {
    static let path = "/dev/ttyACM0"

    /// A greeting as each release sends it; the version has decreased more than once.
    static let greetings = [
        #"{"class":"VERSION","release":"3.17","rev":"3.17","proto_major":3,"proto_minor":12}"#,
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#,
        #"{"class":"VERSION","release":"3.27","rev":"3.27","proto_major":0,"proto_minor":16}"#,
        #"{"class":"VERSION","release":"3.27.3","rev":"3.27.3","proto_major":3,"proto_minor":16}"#,
        #"{"class":"VERSION","release":"3.27.5","rev":"3.27.5","proto_major":16,"proto_minor":1}"#,
    ]

    /// udev's record of a receiver on a USB port, as Debian 12 wrote it; from the demonstration's recording.
    static let udevRecord =
        "S:serial/by-path/platform-dummy_hcd.0-usb-0:1:1.0\n"
        + "S:serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00\nS:gps0\nI:11741428\n"
        + "E:SYSTEMD_WANTS=gpsdctl@ttyACM0.service\nE:ID_BUS=usb\nE:ID_MODEL=u-blox_GNSS_receiver\n"
        + "E:ID_MODEL_ID=01a8\nE:ID_VENDOR=u-blox_AG_-_www.u-blox.com\nE:ID_VENDOR_ID=1546\nE:ID_USB_DRIVER=cdc_acm\n"
        + "E:ID_PATH=platform-dummy_hcd.0-usb-0:1:1.0\nG:systemd\nQ:systemd\nV:1\n"

    static let noDevices = #"{"class":"DEVICES","devices":[]}"#
    static let closed = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#
    static let open =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","#
        + #""subtype":"SW ROM CORE 3.01","subtype1":"FWVER=SPG 3.01","activated":"2026-11-21T11:21:54.542Z","#
        + #""flags":1,"native":1,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00,"mincycle":0.10}]}"#
    static let watch =
        #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"#
        + #""split24":false,"pps":false}"#
    static let emptyPoll = #"{"class":"POLL","time":"2026-11-21T11:21:55.100Z","active":0,"tpv":[],"gst":[],"sky":[]}"#
    static let noFix = #"{"class":"TPV","device":"/dev/ttyACM0","mode":1}"#
    static let sky =
        #"{"class":"SKY","device":"/dev/ttyACM0","vdop":1.20,"hdop":0.90,"nSat":3,"uSat":2,"satellites":["#
        + #"{"PRN":1,"el":40.0,"az":83.0,"ss":46.0,"used":true},{"PRN":2,"el":17.0,"az":308.0,"used":true},"#
        + #"{"PRN":3,"el":7.0,"az":344.0,"ss":39.0,"used":false}]}"#
    /// As gpsd 3.25 sends it.
    static let inertial =
        #"{"class":"IMU","device":"/dev/ttyACM0","msg":"UBX-ESF-RAW","timeTag":13806111,"acc_x":0.02539,"#
        + #""acc_y":0.22656,"acc_z":10.03320,"gyro_temp":24.79,"gyro_x":-0.16016,"gyro_y":-0.66333,"gyro_z":90}"#
    static let attitude =
        #"{"class":"ATT","device":"/dev/ttyACM0","heading":100.000,"pitch":1.000,"acc_x":0.020,"gyro_x":0.500}"#
    static let error = #"{"class":"ERROR","message":"Unrecognized request '?FOO;\n'"}"#
    static let unknown = #"{"class":"CHOCOLATE","dark":0.85,"pieces":[{"n":1}],"future":null}"#

    static func report(
        mode: Int = 3, second: Int = 55, lat: String = "52.5", lon: String = "13.4", more: String = #","eph":17.100"#
    ) -> String {
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":\#(mode),"time":"2026-11-21T11:21:\#(second).000Z","#
            + #""ept":0.005,"lat":\#(lat),"lon":\#(lon),"altHAE":81.5000,"altMSL":34.5000,"alt":34.5000\#(more)}"#
    }

    static func poll(_ report: String, at time: String = "2026-11-21T11:21:55.100Z") -> String {
        #"{"class":"POLL","time":"\#(time)","active":1,"tpv":[\#(report)],"gst":[],"sky":[\#(sky)]}"#
    }

    static let lines =
        greetings + [
            noDevices, closed, open, watch, emptyPoll, noFix, sky, inertial, attitude, error, unknown, report(),
            report(mode: 2),
            poll(report()), poll(noFix), report(more: #","epx":3,"epy":4,"status":8"#),
            #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#,
        ]
}
