// The motion sensor code of a phone app, on a rig: only the imports differ.
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
let number = words.count > 1 ? Double(words[1]) ?? 10 : 10

switch words.first {
case "accelerometer": MotionLog(rate: 50).accelerometer(count: Int(number))
case "gyro": MotionLog(rate: 50).gyro(count: Int(number))
case "activity": MotionLog(rate: 1).activity()
case "steps": StepLog().show()
default:
    line("usage: motion-app accelerometer|gyro [SAMPLES] | activity | steps")
    exit(64)
}
dispatchMain()
