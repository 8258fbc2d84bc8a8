# documents.py - every relative link of a tracked .md file leads to a file, and the README's kernel is the example's.
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def broken_links(name):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", read(name), flags=re.S)
    for target in LINK.findall(text):
        path = os.path.join(ROOT, os.path.dirname(name), target)
        if "://" not in target and not os.path.exists(path):
            yield f"{name}: {target} does not exist"


def strange_lines():
    """Lines of the README's kernel that the example does not have in this order; `...` stands for any."""
    listing = re.search(r"```mlir\n(.*?)```", read("README.md"), re.S).group(1)
    example = iter(read("examples/vector_add.mlir").splitlines())
    for line in listing.splitlines():
        if line.strip() != "..." and not any(line == other for other in example):
            yield f"README.md: the kernel's line '{line}' is not in examples/vector_add.mlir"
            return


def main():
    output = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "*.md"], check=True, capture_output=True)
    faults = list(strange_lines())
    for name in output.stdout.decode().split("\0"):
        if name and os.path.exists(os.path.join(ROOT, name)):
            faults += broken_links(name)
    sys.exit("\n".join(faults) or 0)


main()
