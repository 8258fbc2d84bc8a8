/* Toy.c - what the author of the toy dialect writes by hand: a verifier, a folder, the bodies of two passes.
 */
#include "Toy.h"

/* x may not be an index. */
MlirLogicalResult toyCheckedOpVerify(ToyCheckedOp o) {
  if (mlirTypeIsAIndex(mlirValueGetType(toyCheckedOpGetX(o))))
    return tileEmitOpError(o.op, "got an index, expected anything else");
  return tileSuccess();
}

/* Of the same type: the operand itself; a constant operand: that constant. */
bool toyCheckedOpFold(ToyCheckedOp o, const MlirAttribute *operands, TileFoldResult *out) {
  if (operands[0].ptr) {
    out->attribute = operands[0];
    return true;
  }
  if (!mlirTypeEqual(mlirValueGetType(toyCheckedOpGetX(o)), mlirValueGetType(toyCheckedOpGetY(o))))
    return false;
  out->value = toyCheckedOpGetX(o);
  return true;
}

/* Leaves what it got as attributes of the module, where the test reads it. */
MlirLogicalResult tileToyPaintRun(MlirOperation op, const TileToyPaintParams *params) {
  MlirContext context = mlirOperationGetContext(op);
  mlirOperationSetDiscardableAttributeByName(op, tileStr("toy.coats"), tileI64Attr(context, params->coats));
  mlirOperationSetDiscardableAttributeByName(op, tileStr("toy.brushes"),
                                             tileI64Attr(context, params->brushes));
  mlirOperationSetDiscardableAttributeByName(op, tileStr("toy.dry"), mlirBoolAttrGet(context, params->isDry));
  mlirOperationSetDiscardableAttributeByName(op, tileStr("toy.color"),
                                             mlirStringAttrGet(context, params->color));
  *params->numPainted += 3;
  *params->numSkipped += 1;
  return tileSuccess();
}

MlirLogicalResult tileConvertToyToDustRun(MlirOperation op, const TileConvertToyToDustParams *params) {
  return tileEmitOpError(op, "does not break");
}
