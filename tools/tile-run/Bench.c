/* Bench.c - timing of a kernel on a GPU: each launch between two events, the L2 cache overwritten before
 * each. */
#include "TileRun.h"
#include <stdio.h>
#include <stdlib.h>

enum {
  CacheBytes = 256 << 20, // more than any L2 or last-level cache of the chips supported
  Trials = 5,             // launches that estimate the time of one
  FewestRounds = 20,
  MostRounds = 1000
};

/// Milliseconds that warm-up and measurement are to take.
static const double warmUpTime = 50, measureTime = 250;

typedef struct Bench {
  RunLaunch *launch;
  const uint32_t *grid;
  TileDeviceAddress cache;
  TileTimer *timers[MostRounds];
  double times[MostRounds];
} Bench;

/// One launch between the events of timer number `i`.
static TileErrorCode launchTimed(Bench *bench, int i, TileError *out_error) {
  RunLaunch *launch = bench->launch;
  TileErrorCode code;
  if (!bench->timers[i] && (code = tileTimerCreate(launch->device, &bench->timers[i], out_error)))
    return code;
  if ((code = tileDeviceFill(launch->device, bench->cache, 0, CacheBytes, NULL, out_error)) ||
      (code = tileTimerStart(bench->timers[i], NULL, out_error)) ||
      (code = tileKernelLaunch(launch->kernel, bench->grid, launch->values, launch->count, NULL, out_error)))
    return code;
  return tileTimerStop(bench->timers[i], NULL, out_error);
}

/// `rounds` launches queued one after another, their times read at the end.
static TileErrorCode measure(Bench *bench, int rounds, TileError *out_error) {
  TileErrorCode code = TileError_None;
  for (int i = 0; !code && i < rounds; ++i)
    code = launchTimed(bench, i, out_error);
  if (!code)
    code = tileDeviceSynchronize(bench->launch->device, out_error);
  for (int i = 0; !code && i < rounds; ++i)
    code = tileTimerElapsed(bench->timers[i], &bench->times[i], out_error);
  return code;
}

static int byTime(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int roundsFor(double time, double one) {
  const double rounds = one > 0 ? time / one : MostRounds;
  return rounds < FewestRounds ? FewestRounds : rounds > MostRounds ? MostRounds : (int)rounds;
}

/// The time below which a share of the sorted rounds lies.
static double quantile(const Bench *bench, int rounds, double share) {
  return bench->times[(int)(share * (rounds - 1) + 0.5)];
}

static void printRate(const char *unit, double amount, double scale, double median, double p20, double p80) {
  if (amount > 0)
    printf("bench: %.1f %s (p20 to p80 of the time: %.1f to %.1f)\n", amount / median * 1e3 / scale, unit,
           amount / p20 * 1e3 / scale, amount / p80 * 1e3 / scale);
}

static TileErrorCode runBench(Bench *bench, const RunOptions *options, TileError *out_error) {
  TileErrorCode code;
  if ((code = tileDeviceAllocate(bench->launch->device, CacheBytes, &bench->cache, out_error)) ||
      (code = measure(bench, Trials, out_error)))
    return code;
  qsort(bench->times, Trials, sizeof *bench->times, byTime);
  const double one = quantile(bench, Trials, 0.5);
  const int warmUp = roundsFor(warmUpTime, one), rounds = roundsFor(measureTime, one);
  if ((code = measure(bench, warmUp, out_error)) || (code = measure(bench, rounds, out_error)))
    return code;
  qsort(bench->times, (size_t)rounds, sizeof *bench->times, byTime);
  const double median = quantile(bench, rounds, 0.5), p20 = quantile(bench, rounds, 0.2),
               p80 = quantile(bench, rounds, 0.8);
  printf("bench: median %.6f ms, p20 %.6f ms, p80 %.6f ms (%d launches after %d of warm-up)\n", median, p20,
         p80, rounds, warmUp);
  printRate("GB/s", options->bytes, 1e9, median, p20, p80);
  printRate("TFLOP/s", options->flops, 1e12, median, p20, p80);
  return TileError_None;
}

RunStatus runLaunchBench(RunLaunch *launch, const RunOptions *options) {
  TileError error;
  Bench *bench = calloc(1, sizeof *bench);
  if (!bench)
    return runFailure(RunStatus_Failed, "out of memory");
  bench->launch = launch;
  bench->grid = options->grid;
  RunStatus status = RunStatus_Ok;
  if (runBench(bench, options, &error))
    status = runFailure(RunStatus_Failed, "%s", error.text);
  for (int i = 0; i < MostRounds; ++i)
    tileTimerDestroy(bench->timers[i]);
  tileDeviceFree(launch->device, bench->cache);
  free(bench);
  return status;
}
