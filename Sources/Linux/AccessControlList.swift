internal import CUdev
public import SystemPackage

extension Udev {
    /// The access control list of a node in the kernel's format; empty if it has none, or if that is unknown.
    ///
    /// Source: acl(5), getxattr(2). Never opens the node.
    public static func accessControlList(of node: FilePath) -> [UInt8] {
        // More entries than any seat or administrator sets.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe getxattr(node.string, "system.posix_acl_access", &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
