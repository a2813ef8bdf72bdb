import Glibc

enum Thread {
    static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }
}
