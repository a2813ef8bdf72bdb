// As CoreLocation does: who imports the one has the other.
@_exported public import Foundation
