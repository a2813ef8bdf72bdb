/// The version of this package, as in reports and `--version`.
public enum Release {
    /// The version number.
    public static let version = "0.2.0"
}
