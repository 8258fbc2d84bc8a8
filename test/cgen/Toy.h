/* Toy.h - the toy dialect and its passes, as C sees them. */
#ifndef TOY_H
#define TOY_H
#include "tile-c/Dialect/Toy.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "tile-c/Passes/ToyPasses.h"

void toyRegisterPasses(void);
#ifdef __cplusplus
}
#endif
#endif
