#!/usr/bin/env python3
"""commands.py --bin=FOLDER - executes the commands that stand on top of the examples, in an empty folder.

All succeed, but for the example of a race, which the simulator reports.
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


def commands(path):
    with open(path) as f:
        head = "".join(line[2:].strip() + "\n" for line in iter(f.readline, "") if line.startswith("//"))
    return re.findall(r"^tile-(?:run|translate) .*$", head.replace("\\\n", ""), re.M)


def main(folder):
    bad = count = 0
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
                if (run.returncode == 0) == (name in FAILS):
                    bad += 1
                    print(f"FAILED {command}: {run.returncode}\n  {run.stdout.strip()[:500]}")
    print(f"{count} commands of the examples, {bad} not as expected")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].startswith("--bin="):
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1][len("--bin=") :])))
