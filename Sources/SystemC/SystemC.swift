// The C library of the system: Glibc or Musl on Linux, Darwin on Apple systems.

#if canImport(Glibc)
  @_exported public import CLinux
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import CLinux
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif
