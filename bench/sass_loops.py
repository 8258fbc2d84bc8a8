#!/usr/bin/env python3
"""Counts the instructions of the loops with products in cubins: what an iteration executes, by class.

A loop is what lies between a backward branch and its target; the shortest ones with HGMMA are shown, waits that spin out of line
not counted. What a branch inside skips (masks) is counted. No GPU is needed.
"""
import argparse
import collections
import re
import subprocess

CLASSES = {
    "products": "HGMMA", "exponentials": "MUFU", "f32": "FFMA FMUL FADD FMNMX FSEL FSETP", "conversions": "F2FP",
    "shuffles": "SHFL", "shared": "LDS STS LDSM STSM", "global": "LDG STG REDG RED ATOMG", "spills": "LDL STL",
    "barriers": "BAR", "mbarriers": "SYNCS", "fences": "MEMBAR FENCE", "copies": "UTMALDG UTMASTG UTMAREDG UBLKRED",
    "uniform": "", "from uniform": "R2UR", "integers": "",
}
BY_NAME = {name: kind for kind, names in CLASSES.items() for name in names.split()}


def kind_of(name):
    return BY_NAME.get(name) or ("uniform" if name.startswith("U") else "integers")


def read(cubin, nvdisasm):
    """Names of the instructions, and (target, branch) of each backward branch."""
    text = subprocess.run([nvdisasm, "-c", cubin], capture_output=True, text=True, check=True).stdout
    lines, labels = [], {}
    for line in text.splitlines():
        label = re.match(r"\s*(\.L_x_\w+):", line)
        code = re.search(r"/\*[0-9a-f]{4,}\*/\s+(.*?);", line)
        if label:
            labels[label.group(1)] = len(lines)
        elif code:
            lines.append(re.sub(r"^@!?U?P\w+\s+", "", code.group(1).strip()))
    loops = []
    for at, line in enumerate(lines):
        target = re.match(r"BRA.*\((\.L_x_\w+)\)", line)
        if target and labels.get(target.group(1), at + 1) <= at:
            loops.append((labels[target.group(1)], at))
    return [line.split()[0].split(".")[0] for line in lines], loops


def inner_loops(names, loops):
    found = []
    for first, last in sorted(loops, key=lambda loop: loop[1] - loop[0]):
        body = names[first:last + 1]
        if "HGMMA" in body and "EXIT" not in body and not any(a <= last and first <= b for a, b in found):
            found.append((first, last))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvdisasm", default="nvdisasm", metavar="PATH")
    parser.add_argument("cubins", nargs="+", metavar="CUBIN")
    options = parser.parse_args()
    rows = []
    for cubin in options.cubins:
        names, loops = read(cubin, options.nvdisasm)
        for first, last in inner_loops(names, loops):
            count = collections.Counter(map(kind_of, names[first:last + 1]))
            rows.append([cubin.rsplit("/", 1)[-1].removesuffix(".cubin"), last - first + 1] + [count[kind] for kind in CLASSES])
    print("| kernel | all | " + " | ".join(CLASSES) + " |\n|" + "---|" * (len(CLASSES) + 2))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main()
