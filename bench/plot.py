# plot.py FILE.csv OUT.svg - bars of TFLOP/s per shape and contestant from a CSV of products.py or attention.py. Needs nothing.
import csv
import sys

COLOURS = {"cuBLAS": "#76b900", "cuDNN": "#76b900", "Triton": "#7a5cc9", "FlashAttention 2": "#b0b0b0"}
OURS = ["#0b5fa5", "#3d8fd1", "#8cc0ea"]
BAR, GAP, HEIGHT, LEFT = 14, 26, 260, 80


def shape_of(row):
    if "m" in row:
        kind = f" {row['dtype']} {row['b']}" if "b" in row else ""
        return f"{row['m']}x{row['n']}x{row['k']}{kind}"
    return f"D {row['d']} {'causal' if row['causal'] == '1' else 'full'} N {row['n']}{' bf16' if row['dtype'] == 'bf16' else ''}"


def main():
    if len(sys.argv) != 3 or {"-h", "--help"} & set(sys.argv):
        with open(__file__) as file:
            print(file.readline()[2:], end="")
        sys.exit(0 if {"-h", "--help"} & set(sys.argv) else 2)
    source, target = sys.argv[1:]
    with open(source, newline="") as file:
        rows = list(csv.DictReader(file))
    shapes = list(dict.fromkeys(shape_of(r) for r in rows))
    most = max(float(r["tflops"]) for r in rows)
    top = (int(most / 100) + 1) * 100
    out, x, names, seen = [], LEFT, [], {}
    for value in range(0, top + 1, 100):
        y = 40 + HEIGHT * (1 - value / top)
        out.append(f'<line x1="{LEFT}" x2="@" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/><text x="{LEFT - 6}" y="{y + 4:.0f}" '
                   f'text-anchor="end">{value}</text>')
    for shape in shapes:
        start, ours = x, 0
        for row in (r for r in rows if shape_of(r) == shape):
            name, value = row["name"], float(row["tflops"])
            colour = COLOURS.get(name) or OURS[ours % len(OURS)]
            ours += name not in COLOURS
            label = name if name in COLOURS else f"Tile ({ours})"
            seen.setdefault(label, colour)
            height = HEIGHT * value / top
            out.append(f'<rect x="{x}" y="{40 + HEIGHT - height:.1f}" width="{BAR - 2}" height="{height:.1f}" fill="{colour}">'
                       f"<title>{shape}: {name} {value:.0f} TFLOP/s</title></rect>")
            x += BAR
        names.append(f'<text x="{(start + x) / 2:.0f}" y="{HEIGHT + 54}" text-anchor="end" '
                     f'transform="rotate(-25 {(start + x) / 2:.0f} {HEIGHT + 54})">{shape}</text>')
        x += GAP
    key = LEFT
    for label, colour in seen.items():
        names.append(f'<rect x="{key}" y="12" width="10" height="10" fill="{colour}"/><text x="{key + 14}" y="21">{label}</text>')
        key += 30 + 7 * len(label)
    first = rows[0]
    triton = f', Triton {first["triton"]}' if first.get("triton") else ""
    names.append(f'<text x="{LEFT}" y="{HEIGHT + 130}">TFLOP/s on {first["device"]}, f16; {first["statistic"]}; cuDNN {first["cudnn"]}, '
                 f'PyTorch {first["torch"]}{triton}</text>')
    width = max(x, key, 760)
    text = "\n".join(out + names).replace("@", str(x - GAP))
    with open(target, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 145}" font-family="sans-serif" '
                   f'font-size="11"><rect width="100%" height="100%" fill="white"/>\n{text}\n</svg>\n')


main()
