"""A worker without a GPU, for tests of the client: a kernel's first line says what the worker does.

// add N               the array arguments as bytes, each plus N
// stop while PHASE    never answers
// print TEXT          a completed launch that printed TEXT
// damage ARRAY FAR    a completed launch with a damaged guard
// reply JSON          any reply, without arrays
// time MS MS ...     a timed launch: the arrays as they were, and these times, over and over
// exit N TEXT         ends, with TEXT on its standard error
// kill                ends by SIGKILL
"""

import itertools
import json
import os
import signal
import sys
import time

from autograder.cuda.backends.channel import Channel, Header


def script(kernel: Header) -> list[str]:
    return ["time", "1"] if "cublas" in kernel else kernel["source"].splitlines()[0].split()[1:]


def main() -> None:
    channel = Channel(int(sys.argv[1]), int(sys.argv[2]))
    hello = {"device": "Scripted GPU", "id": "scripted:0", "arch": "sm_80", "max_shared": 65536}
    versions = {"cupy": "14.2.0", "cuda": "13.0", "nvrtc": "13.5", "driver": "13.0"}
    channel.send(hello | {"reads_host": "SCRIPTED_READS_HOST" in os.environ, "versions": versions})
    while True:
        try:
            request, blobs = channel.receive()
        except EOFError:
            return
        # What a kernel prints must not get into the messages.
        print("printed", flush=True)
        series = request.get("series", [request])
        # Of several kernels the last one says what happens, but each has its own times.
        at = len(series) - 1
        word, *rest = script(series[at])
        if word == "exit":
            sys.stderr.write(" ".join(rest[1:]))
            sys.stderr.flush()
            os._exit(int(rest[0]))
        if word == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        for phase in ("compiling", "running", "copying"):
            if phase != "compiling":
                channel.send({"phase": phase, "series": at})
            if word == "stop" and rest[-1] == phase:
                time.sleep(60)
        if word == "reply":
            channel.send(json.loads(" ".join(rest)) | {"series": at}, [b"", b""])
            continue
        if word == "time":
            is_array = [array for each in series for array in each["is_array"]]
            turn = [
                {
                    "damage": [],
                    "times": list(itertools.islice(itertools.cycle(map(float, script(each)[1:])), request["repeats"])),
                }
                for each in series
            ]
            arrays = [blob for blob, array in zip(blobs, itertools.cycle(is_array), strict=False) if array]
            turns = len(blobs) // len(is_array)
            channel.send({"outcome": "completed", "launches": turn * turns}, arrays)
            continue
        more = int(rest[0]) if word == "add" else 0
        given = itertools.compress(blobs, request["is_array"])
        changed = [bytes(byte + more for byte in array) if more else array for array in given]
        text = " ".join(rest).encode() if word == "print" else b""
        damage = [[int(number) for number in rest]] if word == "damage" else []
        channel.send({"outcome": "completed", "damage": damage}, [*changed, text])


main()
