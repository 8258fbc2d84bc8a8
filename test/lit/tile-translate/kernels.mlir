// RUN: tile-translate --emit=manifest %s | FileCheck %s --check-prefixes=A,B
// RUN: tile-translate --emit=manifest --kernel=b %s | FileCheck %s --check-prefix=B --implicit-check-not='"name": "a"'
// RUN: tile-translate --emit=tile %s | FileCheck %s --check-prefix=TILE
// RUN: tile-translate --emit=tile --kernel=b %s | FileCheck %s --check-prefix=CHOSEN --implicit-check-not='@a'

// A: "target": null
// A: "name": "a"
// A: "params": []
// B: "name": "b"
// B: "kind": "pointer"
// B-NEXT: "type": "bf16"
// B-NEXT: "divisibility": 16
// B: "name": "beta"
// B-NEXT: "kind": "scalar"
// B-NEXT: "type": "f32"
// B: "kind": "descriptor"
// B-NEXT: "type": "f16"
// TILE: func.func @a()
// TILE: func.func @b(
// CHOSEN: func.func @b(
func.func @a() attributes {tile.kernel} {
  return
}
func.func @b(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %beta: f32 loc("beta"), %d: !tile.desc<128x64xf16>)
    attributes {tile.kernel} {
  return
}
