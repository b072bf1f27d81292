"""Runs a program and prints the most memory that it took, in bytes.

A process begins with the peak of the one that it was forked from: that of this small one is no measure for the tests'.
"""

import os
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
# Kilobytes on Linux, bytes on macOS (getrusage(2)).
print(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
sys.exit(os.waitstatus_to_exitcode(status))
