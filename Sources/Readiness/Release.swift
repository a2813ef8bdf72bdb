/// The version of this package, as reports and `--version` give it.
public enum Release {
    /// The version.
    public static let version = "0.1.0"
}
