#!/usr/bin/env python3
"""commands.py --bin=FOLDER - executes the commands that stand on top of the examples, in an empty folder.

All succeed, but for the example of a race, which the simulator reports, and those for a GPU where there is no driver: these
have to say so.
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")
FAILS = {"blur_in_place.mlir"}
NO_DRIVER = {"--device=cuda": "error: no NVIDIA driver", "--device=hip": "error: no AMD driver"}


def commands(path):
    with open(path) as f:
        head = "".join(line[2:].strip() + "\n" for line in iter(f.readline, "") if line.startswith("//"))
    return re.findall(r"^tile-(?:run|translate) .*$", head.replace("\\\n", ""), re.M)


def wants_driver(words, run):
    """Whether the command is for a GPU, and was refused because this machine has no driver for it."""
    return run.returncode != 0 and any(device in words and line in run.stdout for device, line in NO_DRIVER.items())


def main(folder):
    bad = count = skipped = 0
    with tempfile.TemporaryDirectory() as work:
        os.symlink(os.path.realpath(EXAMPLES), os.path.join(work, "examples"))
        for path in sorted(glob.glob(os.path.join(EXAMPLES, "*.mlir"))):
            name, found = os.path.basename(path), commands(path)
            if not found:
                bad += 1
                print(f"FAILED {name}: no command on top")
            for command in found:
                words = shlex.split(command)
                words[0] = os.path.join(folder, words[0])
                run = subprocess.run(words, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                count += 1
                if wants_driver(words, run):
                    skipped += 1
                elif (run.returncode == 0) == (name in FAILS):
                    bad += 1
                    print(f"FAILED {command}: {run.returncode}\n  {run.stdout.strip()[:500]}")
    print(f"{count} commands of the examples, {bad} not as expected, {skipped} for want of a driver not run")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].startswith("--bin="):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1][len("--bin=") :])))
