// The module has no functions to call: see TestWidth.c.
