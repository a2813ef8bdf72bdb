/// A kind of notification with its actions; Linux has none to register, but code for seed 004's library names them.
public struct NotificationCategory: Sendable, Hashable {
    /// The name of the kind.
    public var identifier: String
    /// The names of its actions.
    public private(set) var actions: [String]

    /// Makes a category.
    public init(identifier: String = "", actions: [String] = []) {
        self.identifier = identifier
        self.actions = actions
    }

    /// Replaces the actions.
    public mutating func setActions(_ actions: [String]) { self.actions = actions }
}
