"""count_loop.py FILE.s - what the first innermost loop with matrix instructions of an AMDGPU assembly consists of."""
import re
import sys


def main(path):
    lines = open(path).read().split("\n")
    labels, best = {}, None
    for i, line in enumerate(lines):
        label = re.match(r"(\.LBB\d+_\d+):", line)
        if label:
            labels[label[1]] = i
        branch = re.search(r"s_c?branch\w* (\.LBB\d+_\d+)", line)
        if branch and labels.get(branch[1], i) < i:
            body = lines[labels[branch[1]] : i + 1]
            if best is None and sum(bool(re.search("v_mfma|v_wmma", x)) for x in body) > 3:
                best = body
    if best is None:
        sys.exit("no loop with matrix instructions")
    code = [x.split(";")[0].strip() for x in best]
    ops = [x.split()[0] for x in code if x and not x.startswith(".")]

    def count(pattern):
        return sum(bool(re.match(pattern, op)) for op in ops)

    matrix = count("v_mfma|v_wmma")
    barriers = [i for i, x in enumerate(code) if x == "s_barrier" or x.startswith("s_barrier_signal")]
    settled = 0
    for i in barriers:
        settles = [bool(re.search(r"lgkmcnt\(0\)|s_wait_(loadcnt_)?dscnt 0x0", x)) for x in code[:i] if re.search("lgkmcnt|dscnt|^ds_|^s_barrier", x)]
        settled += bool(settles) and settles[-1]
    print(f"matrix {matrix}, vector {count('v_') - matrix}, lds reads {count('ds_read|ds_load')} of {count('ds_(read|load)_b128')} wide, "
          f"lds writes {count('ds_write|ds_store')} of {count('ds_(write|store)_b128')} wide, global loads {count('global_load|buffer_load')}, "
          f"barriers {len(barriers)} of {settled} settled")
    spills = re.search(r"\.vgpr_spill_count:\s*(\d+)", "\n".join(lines))
    print(f"scratch {count('scratch_')}, accvgpr {count('v_accvgpr')}, spills {spills[1]}")


main(sys.argv[1])
