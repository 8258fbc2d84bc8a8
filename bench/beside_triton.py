# beside_triton.py LIST.json BINARIES [--rounds=300] [--seed=1] [--only=NAME,...] [--csv=FILE] - kernels beside Triton's compilation
# of the same IR, on a GPU.
#
# BINARIES is a folder with NAME.cubin and its manifest for each kernel of the list, as `bench/build-kernels LIST.json sm_90a
# FOLDER` makes it. Both are launched by one process on the same arrays: first both run and the results are compared, then both
# are timed launch by launch, each between two events with the L2 cache overwritten before, in an order that --seed draws anew
# for every round (launcher.launch_times): a card's clock drifts, and what runs second finds another card. Printed are the ratio
# of the medians and of the means without the highest and lowest tenth; above 1 is in our favour. Needs PyTorch and Triton.
import json
import os
import re
import sys

import launcher  # before PyTorch: it says where there is none
import torch

launcher.start("triton")
import triton  # noqa: E402

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32, "i64": torch.int64,
         "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8}
LONG = 1e9  # bytes; a launch that moves more is timed in a fifth of the rounds


def make_argument(text):
    array = re.fullmatch(r"(\w+)\[(\d+)\]=(\w+)(?::(\d+))?", text)
    if not array:
        kind, value = text.split("=")
        return int(value) if kind.startswith("i") else float(value)
    kind, count, fill = TYPES[array[1]], int(array[2]), array[3]
    generator = torch.Generator("cuda").manual_seed(int(array[4] or 0))
    if fill == "below":  # random integers below a bound
        return torch.randint(int(array[4]), (count,), device="cuda", dtype=kind)
    make = {"rand": torch.rand, "randn": torch.randn, "zeros": torch.zeros}[fill]
    return make(count, device="cuda", **({} if fill == "zeros" else {"generator": generator})).to(kind)


def our_launch(path, grid, arguments):
    kernel = launcher.Kernel(path)
    if kernel.contract["hidden"] or kernel.contract["grid_rule"] or kernel.contract["num_ctas"] != 1:
        sys.exit(f"{path}: its manifest asks for more than this script can")
    return kernel.bind([launcher.float_bits(v) if isinstance(v, float) else v for v in arguments], grid)


def triton_launch(folder, kernel, grid, arguments):
    compiled = triton.compile(os.path.join(folder, kernel["text"]), options={"num_warps": kernel["warps"]})
    return lambda: compiled[grid](*arguments)


def difference(kernel, arguments, launches):
    """Both from the same arrays: the largest difference, relative to the largest value."""
    results = []
    for launch in launches:
        out = arguments[kernel["out"]]
        out.view(torch.int8).fill_(0x55)
        launch()
        torch.cuda.synchronize()
        results.append(out.double())
    got, expected = results
    return float((got - expected).abs().max() / expected.abs().max())


def compare(folder, kernel, options):
    """Microseconds of every launch of ours and of theirs, and the difference of the results."""
    arguments = [make_argument(text) for text in kernel["args"]]
    grid = tuple((kernel["grid"] + [1, 1])[:3])
    launches = [our_launch(os.path.join(options.binaries, kernel["name"] + ".cubin"), grid, arguments),
                triton_launch(folder, kernel, grid, arguments)]
    apart = difference(kernel, arguments, launches)
    rounds = options.rounds // 5 if kernel["bytes"] > LONG else options.rounds
    return launcher.launch_times(launches, rounds, options.seed) if apart < 5e-3 else None, apart


def main():
    parser = launcher.parser(rounds=300)
    parser.add_argument("--only", help="names, separated by commas")
    parser.usage = "beside_triton.py LIST.json BINARIES [options]"
    options = parser.parse_args(sys.argv[2:])
    with open(sys.argv[1]) as file:
        kernels = json.load(file)
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    torch.zeros(1, device="cuda")
    rows, failed = [], False
    print(f"{torch.cuda.get_device_name()}, triton {triton.__version__}, torch {torch.__version__}")
    for kernel in kernels:
        name = kernel["name"]
        if options.only and name not in options.only.split(","):
            continue
        if not os.path.exists(os.path.join(options.binaries, name + ".cubin")):
            print(f"{name:16} not built")
            failed = True
            continue
        times, apart = compare(folder, kernel, options)
        torch.cuda.empty_cache()
        if not times:
            print(f"{name:16} results differ by {apart:.2g} of the largest value")
            failed = True
            continue
        (ours, mean), (theirs, their_mean) = ((launcher.median(t), launcher.trimmed_mean(t)) for t in times)
        rate = [kernel["bytes"] / us / 1e3 for us in (ours, theirs)]
        print(f"{name:16} tile {rate[0]:6.0f} GB/s, triton {rate[1]:6.0f} GB/s, difference {apart:.1g}, ratio of medians "
              f"{theirs / ours:.4f}, of trimmed means {their_mean / mean:.4f} ({len(times[0])} launches each)", flush=True)
        rows.append({"kernel": name, "arguments": " ".join(kernel["args"]), "launches": len(times[0]), "tile us": ours,
                     "triton us": theirs, "tile trimmed mean us": mean, "triton trimmed mean us": their_mean,
                     "tile GB/s": rate[0], "triton GB/s": rate[1]})
    launcher.write_csv(options, rows, triton=triton.__version__)
    sys.exit(failed)


if __name__ == "__main__":
    main()
