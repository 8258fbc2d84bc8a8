/* CutWeb.c - which tensors are cut together: those that have one size from one another, from a product's factors over loops and
 * element-wise ops to what is stored. */
#include "Cut.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"

static void put(Cut *c, MlirValue v, int dim) {
  const MlirType type = mlirValueGetType(v);
  const int known = cutDimOf(c, v);
  if (known >= 0 || !tileTypeIsTensor(type)) {
    c->failed |= known != dim;
    return;
  }
  if (dim >= mlirShapedTypeGetRank(type) || mlirShapedTypeGetDimSize(type, dim) != c->size) {
    c->failed = true;
    return;
  }
  tilePointerMapSet(&c->dims, v.ptr, (void *)(intptr_t)(dim + 1));
  tilePointerListAppend(&c->values, v.ptr);
}

/* All of them, if one is: along the same dimension. */
static void putTogether(Cut *c, intptr_t n, const MlirValue *values) {
  int dim = -1;
  for (intptr_t i = 0; i < n && dim < 0; ++i)
    dim = cutDimOf(c, values[i]);
  for (intptr_t i = 0; i < n && dim >= 0; ++i)
    put(c, values[i], dim);
}

/* Sums of parts of K, one after the other: both factors are cut, and nothing else. */
static void linkAlongK(Cut *c, MlirValue a, MlirValue b, const MlirValue sums[2]) {
  c->failed |= cutDimOf(c, sums[0]) >= 0 || cutDimOf(c, sums[1]) >= 0;
  put(c, a, 1);
  put(c, b, 0);
}

static void linkDot(Cut *c, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  MlirValue a = tileDotOpGetA(dot), b = tileDotOpGetB(dot);
  MlirValue sums[2] = {tileDotOpGetC(dot), tileDotOpGetResult(dot)};
  if (mlirShapedTypeGetRank(mlirValueGetType(sums[1])) != 2) {
    c->failed = true;
    return;
  }
  if (cutDimOf(c, a) == 1 || cutDimOf(c, b) == 0) {
    linkAlongK(c, a, b, sums);
    return;
  }
  if (cutDimOf(c, a) == 0 || cutDimOf(c, b) == 1)
    put(c, sums[1], cutDimOf(c, a) == 0 ? 0 : 1);
  putTogether(c, 2, sums);
  const int dim = cutDimOf(c, sums[1]);
  put(c, dim ? b : a, dim);
}

/* Tensors of one shape. */
static void linkElements(Cut *c, MlirOperation op) {
  MlirValue values[16];
  const intptr_t n = mlirOperationGetNumOperands(op), m = mlirOperationGetNumResults(op);
  intptr_t count = 0;
  if (n + m > 16) {
    c->failed = true;
    return;
  }
  for (intptr_t i = 0; i < n; ++i)
    if (tileTypeIsTensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      values[count++] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < m; ++i)
    values[count++] = mlirOperationGetResult(op, i);
  putTogether(c, count, values);
}

/* A dimension of the source is one of the result; -1: none, and it is cut in the result alone. */
static void linkDims(Cut *c, MlirValue source, MlirValue result, const int *resultOf) {
  const int from = cutDimOf(c, source), to = cutDimOf(c, result);
  if (from >= 0)
    put(c, result, resultOf[from]);
  for (int d = 0; to >= 0 && d < mlirShapedTypeGetRank(mlirValueGetType(source)); ++d)
    if (resultOf[d] == to && mlirShapedTypeGetDimSize(mlirValueGetType(source), d) != 1)
      put(c, source, d);
}

/* Dimensions of one are added or dropped in front: the only reshapes that keep the others. */
static bool keepsLast(MlirType source, MlirType result) {
  const intptr_t from = mlirShapedTypeGetRank(source), to = mlirShapedTypeGetRank(result);
  for (intptr_t d = 1; d <= (from > to ? from : to); ++d) {
    const int64_t a = d <= from ? mlirShapedTypeGetDimSize(source, from - d) : 1,
                  b = d <= to ? mlirShapedTypeGetDimSize(result, to - d) : 1;
    if (a != b)
      return false;
  }
  return true;
}

static void linkShape(Cut *c, MlirOperation op) {
  enum { MaxRank = 8 };
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  int map[MaxRank];
  const intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(source));
  if (rank > MaxRank) {
    c->failed = true;
    return;
  }
  for (int d = 0; d < rank; ++d)
    map[d] = d;
  if (tileOpKind(op) == TileOp_Tile_Trans) {
    MlirAttribute order = tileTransOpGetOrderAttr(tileTransOpCast(op));
    for (int d = 0; d < rank; ++d)
      map[mlirDenseI32ArrayGetElement(order, d)] = d;
  } else if (tileOpKind(op) == TileOp_Tile_ExpandDims) {
    for (int d = (int)tileExpandDimsOpGetAxis(tileExpandDimsOpCast(op)); d < rank; ++d)
      map[d] = d + 1;
  } else if (tileOpKind(op) == TileOp_Tile_Reshape) {
    const MlirType to = mlirValueGetType(result);
    c->failed |= !keepsLast(mlirValueGetType(source), to);
    for (int d = 0; d < rank; ++d)
      map[d] = d + (int)(mlirShapedTypeGetRank(to) - rank);
  }
  linkDims(c, source, result, map);
}

/* Along another dimension; all sources and results together. */
static void linkReduce(Cut *c, MlirOperation op) {
  enum { MaxRank = 8 };
  TileReduceOp reduce = tileReduceOpCast(op);
  const int axis = (int)tileReduceOpGetAxis(reduce);
  int map[MaxRank];
  for (int d = 0; d < MaxRank; ++d)
    map[d] = d < axis ? d : d - 1;
  c->failed |= !c->reduces;
  for (intptr_t i = 0; i < tileReduceOpGetNumSrcs(reduce) && !c->failed; ++i) {
    MlirValue source = tileReduceOpGetSrcs(reduce, i), result = tileReduceOpGetResults(reduce, i);
    c->failed |= mlirShapedTypeGetRank(mlirValueGetType(source)) > MaxRank || cutDimOf(c, source) == axis ||
                 !tileTypeIsTensor(mlirValueGetType(result));
    map[axis] = -2;
    if (!c->failed)
      linkDims(c, source, result, map);
  }
}

static void linkFor(Cut *c, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const MlirValue same[4] = {scfForOpGetInitArgs(loop, i), mlirBlockGetArgument(body, i + 1),
                               mlirOperationGetOperand(yield, i), mlirOperationGetResult(op, i)};
    if (tileTypeIsTensor(mlirValueGetType(same[0])))
      putTogether(c, 4, same);
  }
}

static void linkIf(Cut *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue same[3] = {mlirOperationGetResult(op, i)};
    for (int arm = 0; arm < 2; ++arm) {
      MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, arm));
      same[arm + 1] = mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
    }
    if (tileTypeIsTensor(mlirValueGetType(same[0])))
      putTogether(c, 3, same);
  }
}

/* A block of a descriptor that is a kernel's parameter, of as many dimensions. */
static void linkDescriptor(Cut *c, MlirValue desc, MlirValue block) {
  MlirOperation owner = {NULL};
  if (mlirValueIsABlockArgument(desc))
    owner = mlirBlockGetParentOperation(tileValueGetBlock(desc));
  if (!owner.ptr || tileOpKind(owner) != TileOp_Func_Func ||
      tileDescTypeGetNumShape(mlirValueGetType(desc)) != mlirShapedTypeGetRank(mlirValueGetType(block))) {
    c->failed = true;
    return;
  }
  for (size_t i = 0; i < c->descs.count; ++i)
    if (c->descs.items[i] == desc.ptr)
      return;
  tilePointerListAppend(&c->descs, desc.ptr);
}

static void link(Cut *c, MlirOperation op) {
  const TileOpKind kind = tileOpKind(op);
  MlirAttribute value;
  switch (kind) {
  case TileOp_Tile_Dot:
    linkDot(c, op);
    return;
  case TileOp_Tile_Trans:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_Reshape:
    linkShape(c, op);
    return;
  case TileOp_Tile_Reduce:
    linkReduce(c, op);
    return;
  case TileOp_Tile_DescLoad:
    linkDescriptor(c, mlirOperationGetOperand(op, 0), mlirOperationGetResult(op, 0));
    return;
  case TileOp_Tile_DescStore:
    linkDescriptor(c, mlirOperationGetOperand(op, 0), tileDescStoreOpGetValue(tileDescStoreOpCast(op)));
    return;
  case TileOp_SCF_For:
    linkFor(c, op);
    return;
  case TileOp_SCF_If:
    linkIf(c, op);
    return;
  case TileOp_SCF_Yield: {
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (tileOpKind(parent) == TileOp_SCF_For || tileOpKind(parent) == TileOp_SCF_If)
      link(c, parent);
    else
      c->failed = true;
    return;
  }
  case TileOp_Arith_Constant:
    value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
    c->failed |= !mlirAttributeIsADenseElements(value) || !mlirDenseElementsAttrIsSplat(value);
    return;
  case TileOp_Tile_Splat:
  case TileOp_Tile_MakeRange:
    return;
  case TileOp_Tile_Load:
  case TileOp_Tile_Store:
  case TileOp_Tile_AddPtr:
    linkElements(c, op);
    return;
  default:
    if (tileOpIsElementwise(op))
      linkElements(c, op);
    else
      c->failed = true;
  }
}

/* All accesses to a descriptor are cut, along one dimension: its blocks have one shape. */
static bool descriptorIsCut(const Cut *c, MlirValue desc) {
  int dim = -1;
  for (MlirOpOperand use = mlirValueGetFirstUse(desc); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    TileDescStoreOp store = tileDescStoreOpCast(op);
    const bool loads = tileOpKind(op) == TileOp_Tile_DescLoad;
    if (!loads && tileDescStoreOpIsNull(store))
      return false;
    const int own = cutDimOf(c, loads ? mlirOperationGetResult(op, 0) : tileDescStoreOpGetValue(store));
    if (own < 0 || (dim >= 0 && own != dim))
      return false;
    dim = own;
  }
  return dim >= 0;
}

bool cutFindValues(Cut *c, MlirValue v, int dim) {
  put(c, v, dim);
  for (size_t i = 0; i < c->values.count && !c->failed; ++i) {
    MlirValue value = {(void *)c->values.items[i]};
    MlirOperation op = tileValueGetDefiningOp(value);
    if (!op.ptr)
      op = mlirBlockGetParentOperation(tileValueGetBlock(value));
    link(c, op); // a function cannot be
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && !c->failed;
         use = mlirOpOperandGetNextUse(use))
      link(c, mlirOpOperandGetOwner(use));
  }
  for (size_t i = 0; i < c->descs.count && !c->failed; ++i)
    c->failed |= !descriptorIsCut(c, (MlirValue){(void *)c->descs.items[i]});
  return !c->failed;
}
