/// A kind of notification that an app shows, with its actions.
///
/// Linux has no categories to register: a notification service takes actions with each notification. They are kept so
/// that code written for seed 004's library compiles, and do not affect the state.
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
