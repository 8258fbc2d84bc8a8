"""mutate_texts.py - what mutate.py deletes from lowered kernels, and which of many equal places it takes."""
import re

SYNC = re.compile(r"^\s*(nvvm\.barrier0|nvvm\.barrier\b|nvvm\.bar\.warp\.sync|nvvm\.cp\.async\.\S*(?:commit|wait)\S*|nvvm\.fence\S*|"
                  r"nvvm\.wgmma\.\S*|nvvm\.mbarrier\.\S*|tile_nv\.mbarrier_\w+|tile_nv\.wgmma_fence|rocdl\.barrier|rocdl\.s\.barrier\S*|"
                  r"rocdl\.s\.wait\S*|rocdl\.wait\S*|llvm\.fence)")
PASSED = re.compile(r"^\s*(%\w+)(?::\d+)? = tile_nv\.(wgmma_wait|wgmma_fence)(?: \d+)? ?\((%[^)]*)\)")
COUNT = re.compile(r"^(\s*(?:%\w+ = )?(?:nvvm\.cp\.async\.(?:bulk\.)?wait[._]group|tile_nv\.wgmma_wait|rocdl\.wait\.\w+) )(\d+)(.*)$")
PREDICATED = re.compile(r"^(.*\btile_nv\.load %\S+, )(%\S+?)(,.*| .*)$")
STORE = re.compile(r"^(.*tile_nv\.store %\S+, %\S+, )(%\S+)( .*)$")
BRANCH = re.compile(r"^(\s*llvm\.cond_br )(%\S+?)(, (\^bb\d+)(?:\([^)]*\))?, (\^bb\d+).*)$")
LOCATION = re.compile(r" loc\((#loc\d*|unknown)\)$")


def blocks(lines):
    """Label to the indices of its lines."""
    found, label = {}, None
    for k, line in enumerate(lines):
        head = re.match(r"\s*(\^bb\d+)[(:]", line)
        label = head.group(1) if head else label
        if label:
            found.setdefault(label, []).append(k)
    return found


def guards_access(lines, where, yes, no):
    """Whether the branch is an `if` without `else` around accesses of memory."""
    body = [lines[k] for k in where.get(yes, [])]
    ends = re.search(r"llvm\.br (\^bb\d+)", body[-1] if body else "")
    return bool(ends and ends.group(1) == no and any(re.search(r"llvm\.(load|store|atomicrmw|cmpxchg)", b) for b in body))


def without(lines, k):
    """The text without line k; where it passes values on, they are used as they are."""
    passed, rest = PASSED.match(lines[k]), lines[:k] + [""] + lines[k + 1:]
    if not passed:
        return "\n".join(rest)
    name, values, text = passed.group(1), [v.strip() for v in passed.group(3).split(",")], "\n".join(rest)
    for n, value in enumerate(values):
        text = re.sub(re.escape(f"{name}#{n}") + r"\b", value, text)
    return re.sub(re.escape(name) + r"\b(?!#)", values[0], text)


def sync(text):
    """(kind, group, text) of each barrier, fence, wait and commit that is left out, and of each wait for a group fewer."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        found, passed, count = SYNC.match(line), PASSED.match(line), COUNT.match(line)
        if found or passed:
            yield found.group(1) if found else f"tile_nv.{passed.group(2)}", None, without(lines, k)
        if count:
            shorter = count.group(1) + str(int(count.group(2)) + 1) + count.group(3)
            yield "one fewer of " + count.group(1).split("= ")[-1].strip(), None, "\n".join(lines[:k] + [shorter] + lines[k + 1:])


def masks(text):
    """The same of each mask that is taken as true. Group: the line of the source and the kind of access."""
    lines = text.split("\n")
    where = blocks(lines)
    start = next(k for k, line in enumerate(lines) if "llvm.func @" in line and "{" in line and ("nvvm.kernel" in line or "rocdl.kernel" in line))

    def replaced(k, line):
        new = lines[:k] + [line] + lines[k + 1:]
        return "\n".join(new[:start + 1] + ["    %mutant = llvm.mlir.constant(true) : i1"] + new[start + 1:])

    for k, line in enumerate(lines):
        loc = LOCATION.search(line)
        group = (loc.group(1) if loc else k, re.sub(r"%\w+(#\d+)?|\^bb\d+", "", line))
        load, store, branch = PREDICATED.match(line), STORE.match(line), BRANCH.match(line)
        if store:
            yield "mask of store", group, replaced(k, store.group(1) + "%mutant" + store.group(3))
        elif load:
            yield "mask of load", group, replaced(k, load.group(1) + "%mutant" + load.group(3))
        elif branch and guards_access(lines, where, branch.group(4), branch.group(5)):
            yield "mask by branch", group, replaced(k, branch.group(1) + "%mutant" + branch.group(3))


DEFINED = re.compile(r"^\s*(%\w+)(?::\d+)? = (\S+)(.*)$")
SOURCES = {"tid": re.compile(r"workitem\.id|tid\.x|mbcnt|laneid"), "pid": re.compile(r"workgroup\.id|ctaid"), "memory": re.compile(r"load")}


def sources(defined, value, seen):
    """What a value is made of: tid, pid, memory, and values that come from elsewhere (arguments of the kernel and of blocks)."""
    if value in seen:
        return set()
    seen.add(value)
    if value not in defined:
        return {"arguments"}
    op, rest = defined[value]
    for name, pattern in SOURCES.items():
        if pattern.search(op):
            return {name}
    return {s for used in re.findall(r"%\w+", rest) for s in sources(defined, used, seen)} if op != "llvm.mlir.constant" else set()


def why_mask(text, mutant):
    """Why a mask that is taken as true changes nothing, from what it is made of. The simulator's races leave no other reason: stores of
    different values to one place are reported, and a store to a place of its own would show."""
    lines, defined = text.split("\n"), {}
    for line in lines:
        found = DEFINED.match(line)
        if found:
            defined[found[1]] = (found[2], found[3])
    at = next(k for k, line in enumerate(mutant.split("\n")) if "%mutant" in line and "llvm.mlir.constant" not in line) - 1
    found = BRANCH.match(lines[at]) or PREDICATED.match(lines[at]) or STORE.match(lines[at])
    guarded = lines[at] if not BRANCH.match(lines[at]) else " ".join(lines[k] for k in blocks(lines)[found[4]])
    if not re.search(r"tile_nv\.store|llvm\.store|atomicrmw|cmpxchg", guarded):
        return "loads: what lies beyond the mask is inside of the buffer, and nothing that is stored depends on it"
    if sources(defined, found[2], set()) <= {"tid"}:
        return "stores, by the thread's number alone: the lanes left out hold copies, and store the same to the same places"
    return "stores, by the thread's and the program's number: no row is cut off here, and the lanes left out hold copies"


def buffers(text):
    """The same of choices of a buffer, of phases and of counted bytes, in the text before lowering."""
    lines = text.split("\n")

    def changed(k, *new):
        return "\n".join(lines[:k] + list(new) + lines[k + 1:])

    for k, line in enumerate(lines):
        index = re.search(r"(tile_gpu\.index %\w+\[%\w+\])( rotate = (\d+))? : !tile_gpu\.memdesc<(\d+)x", line)
        if index and int(index[4]) > 1:
            rotate = (int(index[3] or 0) + 1) % int(index[4])
            yield "another buffer", None, changed(k, line.replace(index[1] + (index[2] or ""), f"{index[1]} rotate = {rotate}"))
        advance = re.search(r"^(\s*%\w+)( = tile_gpu\.advance )(%\w+) of (\d+)", line)
        if advance and int(advance[4]) > 1:
            twice = line.replace(advance[3] + " of", advance[1].strip() + "_once of")
            yield "a buffer is left out", None, changed(k, f"{advance[1]}_once{advance[2]}{advance[3]} of {advance[4]}", twice)
        wait = re.search(r"^(\s*tile_gpu\.mbarrier_wait %\S+, )(%\S+)( : .*)$", line)
        if wait:
            yield "the other phase", None, changed(k, f"    %mutant_one = arith.constant 1 : i32\n    %mutant = arith.xori {wait[2]}, %mutant_one : i32",
                                                   f"{wait[1]}%mutant{wait[3]}")
        expect = re.search(r"(tile_gpu\.mbarrier_expect %\w+, )(\d+)", line)
        for factor in (0.5, 2) if expect else ():
            yield "other bytes", None, changed(k, line.replace(expect[0], expect[1] + str(int(int(expect[2]) * factor))))
        group = re.search(r"(tile_gpu\.async_wait )(\d+)", line)
        if group:
            yield "one group fewer", None, changed(k, line.replace(group[0], f"{group[1]}{int(group[2]) + 1}"))


def some(found, most=3):
    """(name, text) of each; of a group the first, the last and those between as far as `most` goes. What is taken for one another:
    the registers that one line of the source became."""
    found, count, groups = list(found), {}, {}
    for n, (kind, group, text) in enumerate(found):
        groups.setdefault((kind, group) if group is not None else n, []).append(n)
    taken = set()
    for members in groups.values():
        step = max(1, len(members) - 1) / max(1, most - 1)
        taken |= {members[min(len(members) - 1, round(k * step))] for k in range(min(most, len(members)))}
    for n, (kind, _, text) in enumerate(found):
        count[kind] = count.get(kind, 0) + 1
        if n in taken:
            yield f"{kind}#{count[kind]}", text
