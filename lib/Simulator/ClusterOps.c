/* ClusterOps.c - decodes what blocks of a cluster do with each other. */
#include "Cluster.h"
#include "HopperOps.h"
#include "MapOps.h"

bool simDecodeClusterRank(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  SimInsn *i = simEmitEffect(d, simClusterRank);
  i->result = result->slots[0];
  i->param = row->param;
  return true;
}

bool simDecodeClusterBarrier(SimDecoder *d, MlirOperation op, const SimRow *row) {
  if (d->program->cluster <= 1)
    return simRefuse(op, "is in a kernel without nvvm.cluster_dim");
  simEmitEffect(d, row->param == 2 ? simClusterWait : simClusterArrive)->param = row->param;
  return true;
}

bool simDecodeMapa(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *address = simOperand(d, op, 0), *rank = simOperand(d, op, 1), *result = simResult(d, op);
  (void)row;
  if (!address || !rank || !result)
    return false;
  SimInsn *i = simEmitEffect(d, simMapa);
  i->a = address->slots[0];
  i->b = rank->slots[0];
  i->result = result->slots[0];
  return true;
}
