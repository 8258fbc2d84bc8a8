# gather-cases.sh FOLDER: writes FOLDER/k.mlir, a kernel that gathers along axis 1 of R x SRC by R x IDX indices for every
# R of 1, 2, 8, SRC of 2, 4, 8, IDX of 2, 8, 32; case number k (of 27) fills out[256 k ..].
here=$(dirname "$0")
k=0
{
  echo 'func.func @k(%x: !tile.ptr<i32>, %i: !tile.ptr<i32>, %o: !tile.ptr<i32>) attributes {tile.kernel} {'
  for r in 1 2 8; do for src in 2 4 8; do for idx in 2 8 32; do
    sed -e "s/@K/$k/g; s/@R/$r/g; s/@SRC/$src/g; s/@IDX/$idx/g; s/@AT/$((256 * k))/g" "$here/gather_case.mlir.in"
    k=$((k + 1))
  done; done; done
  echo '  return'
  echo '}'
} > "$1/k.mlir"
