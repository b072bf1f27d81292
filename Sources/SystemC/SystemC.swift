// The system's C library under one name, whatever the system calls it.

#if canImport(Glibc)
  @_exported public import CLinux
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import CLinux
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif
