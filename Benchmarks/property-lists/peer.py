#!/usr/bin/env python3
"""Times Python's fastest readers: a line `TASK ITERATIONS` in, the seconds of one iteration out."""

import pathlib
import sys
import time

import openstep_plist
import orjson


def main():
    folder = pathlib.Path(sys.argv[1])
    for line in sys.stdin:
        task, iterations = line.split()
        who, _, name = task.split(":")
        data = (folder / name).read_bytes()
        # openstep-plist takes text; that it is decoded beforehand is in its favour.
        text = data.decode() if who == "openstep-plist" else data
        read = openstep_plist.loads if who == "openstep-plist" else orjson.loads
        start = time.perf_counter()
        for _ in range(int(iterations)):
            read(text)
        print((time.perf_counter() - start) / int(iterations), flush=True)


if __name__ == "__main__":
    main()
