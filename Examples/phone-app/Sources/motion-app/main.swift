// The motion sensor code of a phone app, on a rig: only the imports differ.
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
let number = words.count > 1 ? Double(words[1]) ?? 10 : 10
let endsAtError = words.dropFirst(2).first == "end-at-error"

switch words.first {
case "accelerometer": MotionLog(rate: 50, endsAtError: endsAtError).accelerometer(count: Int(number))
case "gyro": MotionLog(rate: 50, endsAtError: endsAtError).gyro(count: Int(number))
case "activity": MotionLog(rate: 1).activity()
case "steps": StepLog().show()
default:
    line("usage: motion-app accelerometer|gyro [SAMPLES [end-at-error]] | activity | steps")
    exit(64)
}
dispatchMain()
