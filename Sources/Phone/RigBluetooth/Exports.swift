// As CoreBluetooth does: importing one imports the other.
@_exported public import Foundation
