@_exported public import Readiness
