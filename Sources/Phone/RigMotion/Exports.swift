// Importing Core Motion also imports Foundation, so importing this module does.
@_exported public import Foundation
