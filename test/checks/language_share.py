# language_share.py [--list] - C and TableGen must be at least 85 % of the hand-written lines in lib/, tools/, include/.
#
# Every tracked file counts, blank lines do not. In a .td file a `[{ ... }]` block counts as C++, unless it is the text of
# a description or an assembly format, which are TableGen's own. A header is C++ if it includes MLIR's C++ headers or
# has namespaces, classes or templates. What is neither C, C++ nor TableGen (CMake, Python) is "other".
import os
import re
import subprocess
import sys

FOLDERS = ["lib", "tools", "include"]
MINIMUM = 85.0
CPP_HEADER = re.compile(r'^\s*(namespace\b|template\s*<|class\s+\w|using\s+\w)|^\s*#\s*include\s+["<](mlir|llvm)/', re.M)
PROSE_FIELD = re.compile(r"\b(description|summary|assemblyFormat)\s*=\s*$")


def tracked_files(root):
    output = subprocess.run(["git", "-C", root, "ls-files", "-z", "--", *FOLDERS], check=True, capture_output=True)
    return [name for name in output.stdout.decode().split("\0") if name]


def count_lines(text):
    return sum(1 for line in text.splitlines() if line.strip())


def count_tablegen(text):
    """(TableGen lines, C++ lines) of a .td file; a line with both counts as C++."""
    tablegen = cpp = 0
    inside = None
    for line in text.splitlines():
        if not line.strip():
            continue
        language = "cpp" if inside == "cpp" else "td"
        position = 0
        while True:
            if inside is None:
                start = line.find("[{", position)
                if start < 0 or (0 <= line.find("//", 0, start)):
                    break
                inside = "td" if PROSE_FIELD.search(line[:start]) else "cpp"
                language = "cpp" if inside == "cpp" else language
                position = start + 2
            else:
                end = line.find("}]", position)
                if end < 0:
                    break
                inside = None
                position = end + 2
        if language == "cpp":
            cpp += 1
        else:
            tablegen += 1
    return tablegen, cpp


def count_file(name, text):
    """Lines of one file by language."""
    extension = os.path.splitext(name)[1]
    lines = count_lines(text)
    if extension == ".td":
        tablegen, cpp = count_tablegen(text)
        return {"TableGen": tablegen, "C++": cpp}
    if extension == ".c" or (extension == ".h" and not CPP_HEADER.search(text)):
        return {"C": lines}
    if extension in (".cpp", ".h", ".hpp", ".cc", ".inc"):
        return {"C++": lines}
    return {"other": lines}


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    totals = {"C": 0, "TableGen": 0, "C++": 0, "other": 0}
    for name in tracked_files(root):
        path = os.path.join(root, name)
        if not os.path.isfile(path):  # deleted in the working tree
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            counts = count_file(name, file.read())
        for language, lines in counts.items():
            totals[language] += lines
        if "--list" in sys.argv:
            print(f"{name}: " + ", ".join(f"{lines} {language}" for language, lines in counts.items() if lines))
    everything = sum(totals.values())
    share = 100.0 * (totals["C"] + totals["TableGen"]) / max(everything, 1)
    print(", ".join(f"{language} {lines}" for language, lines in totals.items()) + f": {share:.1f} % C and TableGen")
    if share < MINIMUM:
        sys.exit(f"C and TableGen are {share:.1f} % of the lines, expected at least {MINIMUM} %")


main()
