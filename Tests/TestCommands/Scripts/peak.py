"""Runs a program and prints its peak memory in bytes.

A process inherits the peak of its parent at the fork, and the peak of this script is small.
"""

import os
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
# Kilobytes on Linux, bytes on macOS (getrusage(2)).
print(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
sys.exit(os.waitstatus_to_exitcode(status))
