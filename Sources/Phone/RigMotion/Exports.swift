// Whoever imports Core Motion has Foundation with it, and so it is here.
@_exported public import Foundation
