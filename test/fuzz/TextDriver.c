/* TextDriver.c - fuzz-text: random changes to texts of a corpus, compiled in child processes that may die.
 *
 *   fuzz-text [--seed=N] [--runs=N] [--seconds=S] [--keep=DIR] [--limit=BYTES] [--timeout=S] PATH...
 *
 * PATHs are files and folders (searched for .mlir, .ttir and .test). With --runs=0 the files are compiled as
 * they are. Each input that ends a child, takes too long or breaks the rules of CompileText.h is written to
 * DIR (default fuzz-failures). Exit status: 0 none, 1 some, 2 usage. */
#include "CompileText.h"
#include "MutateText.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef TILE_FUZZ_SANITIZED
/* LLVM's allocators are poisoned by Tile's instrumented code and not unpoisoned by LLVM's own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allow_user_poisoning=0:detect_leaks=0"; }
#endif

enum { MAX_TEXT = 1 << 16, MAX_POOL = 1024, MEMORY_LIMIT_GB = 6 };

/* Shared with the children: the input at work, and what came of those before. */
typedef struct Shared {
  volatile uint64_t runs, parsed, accepted;
  volatile size_t size, corpusIndex;
  char wrong[256], input[MAX_TEXT];
} Shared;

typedef struct Driver {
  FuzzText *corpus;
  size_t numTexts, limit;
  uint64_t seed, runs;
  double seconds;
  unsigned timeout;
  const char *keep;
  Shared *shared;
  time_t start;
  unsigned failures;
} Driver;

static FuzzText readFile(const char *path) {
  FuzzText t = {NULL, 0};
  FILE *f = fopen(path, "rb");
  if (!f)
    return t;
  t.data = calloc(MAX_TEXT + 1, 1);
  t.size = t.data ? fread(t.data, 1, MAX_TEXT, f) : 0;
  fclose(f);
  return t;
}

static void addText(Driver *d, const char *data, size_t size) {
  FuzzText t = {malloc(size + 1), size};
  FuzzText *grown = realloc(d->corpus, (d->numTexts + 1) * sizeof *grown);
  d->corpus = grown ? grown : d->corpus;
  if (!t.data || !grown || size > d->limit) {
    free(t.data);
    return;
  }
  memcpy(t.data, data, size);
  d->corpus[d->numTexts++] = t;
}

/* The end of the part that starts at `begin`: a line of "// -----", as tests separate modules. */
static size_t partEnd(FuzzText t, size_t begin) {
  static const char mark[] = "\n// -----";
  const char *found = memmem(t.data + begin, t.size - begin, mark, sizeof mark - 1);
  return found ? (size_t)(found - t.data) + 1 : t.size;
}

/* Takes the comments out that take a whole line, but for parameters: changes to them would be wasted. */
static size_t dropComments(char *text, size_t size) {
  size_t kept = 0;
  for (size_t i = 0, next; i < size; i = next) {
    const char *newline = memchr(text + i, '\n', size - i);
    next = newline ? (size_t)(newline - text) + 1 : size;
    size_t first = i + strspn(text + i, " \t");
    if (next - first > 2 && !memcmp(text + first, "//", 2) && !memmem(text + first, next - first, "tile.", 5))
      continue;
    memmove(text + kept, text + i, next - i);
    kept += next - i;
  }
  return kept;
}

/* A file's parts; with --runs=0 the whole file as it is. */
static void addFile(Driver *d, const char *path) {
  FuzzText t = readFile(path);
  if (!d->runs && t.data)
    addText(d, t.data, t.size);
  for (size_t begin = 0, end; d->runs && t.data && begin < t.size; begin = end) {
    end = partEnd(t, begin);
    size_t size = dropComments(t.data + begin, end - begin);
    if (size > 1)
      addText(d, t.data + begin, size);
  }
  free(t.data);
}

static bool isText(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (!strcmp(dot, ".mlir") || !strcmp(dot, ".ttir") || !strcmp(dot, ".test"));
}

/* Entries in the order of their names: the same seed finds the same texts everywhere. */
static void addPath(Driver *d, const char *path, bool given) {
  struct dirent **entries;
  struct stat info;
  if (stat(path, &info))
    return;
  if (!S_ISDIR(info.st_mode)) {
    if (given || isText(path))
      addFile(d, path);
    return;
  }
  int n = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < n; ++i) {
    char inner[4096];
    snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.')
      addPath(d, inner, false);
    free(entries[i]);
  }
  if (n >= 0)
    free(entries);
}

/* Run n's generator. */
static FuzzRandom randomOf(const Driver *d, uint64_t n) {
  FuzzRandom random = {(d->seed * UINT64_C(0x9E3779B97F4A7C15) ^ (n + 1) * UINT64_C(0xD1B54A32D192ED03)) | 1};
  fuzzNext(&random);
  fuzzNext(&random);
  return random;
}

/* Texts that compiled are changed further; the pool starts empty in each child. */
typedef struct Pool {
  FuzzText at[MAX_POOL];
  size_t count;
} Pool;

static void keepAccepted(Pool *pool, FuzzText text, FuzzRandom *random) {
  size_t at = pool->count < MAX_POOL ? pool->count++ : fuzzBelow(random, MAX_POOL);
  free(pool->at[at].data);
  pool->at[at] = text;
}

static FuzzText pick(const Driver *d, const Pool *pool, FuzzRandom *random) {
  if (pool->count && fuzzBelow(random, 3) == 0)
    return pool->at[fuzzBelow(random, pool->count)];
  FuzzText a = d->corpus[fuzzBelow(random, d->numTexts)], b = d->corpus[fuzzBelow(random, d->numTexts)];
  return a.size < b.size ? a : b; /* small texts are faster and no worse */
}

static double elapsed(const Driver *d) { return difftime(time(NULL), d->start); }

/* Ends the process by SIGPROF after some seconds of processor time (0: never), however busy the machine is, and by
 * SIGALRM if it only waits. */
static void limitTime(unsigned seconds) {
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  setitimer(ITIMER_PROF, &timer, NULL);
  alarm(30 * seconds);
}

/* Compiles one input, which the parent can see. */
static bool tryText(const Driver *d, FuzzWarm *warm, FuzzText text) {
  memcpy(d->shared->input, text.data, text.size);
  d->shared->size = text.size;
  limitTime(d->timeout);
  FuzzOutcome outcome = fuzzCompileText(warm, text.data, text.size);
  limitTime(0);
  d->shared->runs++;
  d->shared->parsed += outcome.parsed;
  d->shared->accepted += outcome.accepted;
  if (outcome.wrong) {
    snprintf(d->shared->wrong, sizeof d->shared->wrong, "%s", outcome.wrong);
    _exit(3);
  }
  return outcome.accepted;
}

static void work(const Driver *d) {
  static Pool pool;
  static FuzzWarm warm;
  while (!d->runs && d->shared->corpusIndex < d->numTexts)
    tryText(d, &warm, d->corpus[d->shared->corpusIndex++]);
  while (d->runs && d->shared->runs < d->runs && elapsed(d) < d->seconds) {
    FuzzRandom random = randomOf(d, d->shared->runs);
    FuzzText other = fuzzBelow(&random, 2) ? d->corpus[fuzzBelow(&random, d->numTexts)] : (FuzzText){NULL, 0};
    FuzzText text = fuzzMutate(pick(d, &pool, &random), other, d->limit, &random);
    if (text.data && tryText(d, &warm, text))
      keepAccepted(&pool, text, &random);
    else
      free(text.data);
  }
  _exit(0);
}

/* Where a child's standard error goes: the end of it tells what happened. */
static const char *logName(const Driver *d, char *out, size_t size) {
  snprintf(out, size, "%s/log.%d", d->keep, (int)getpid());
  return out;
}

static void printTail(const char *path) {
  char text[3000];
  FILE *f = fopen(path, "rb");
  if (!f)
    return;
  size_t n = fread(text, 1, sizeof text, f);
  fwrite(text, 1, n, stdout);
  fclose(f);
}

static void report(Driver *d, int status) {
  char path[4096], log[4096];
  int ended = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const char *what = ended == SIGPROF || ended == SIGALRM ? "hang"
                     : ended                              ? strsignal(ended)
                     : d->shared->wrong[0]                ? d->shared->wrong
                                                          : "the process ended";
  snprintf(path, sizeof path, "%s/text-%llu-%llu.mlir", d->keep, (unsigned long long)d->seed,
           (unsigned long long)d->shared->runs);
  FILE *f = fopen(path, "wb");
  if (f) {
    fwrite(d->shared->input, 1, d->shared->size, f);
    fclose(f);
  }
  printf("FAILURE run %llu: %s: %s\n", (unsigned long long)d->shared->runs, what, path);
  printTail(logName(d, log, sizeof log));
  fflush(stdout);
  d->shared->wrong[0] = 0;
  d->shared->runs++;
  d->failures++;
}

/* Set by a signal that asks to stop. */
static volatile sig_atomic_t stopping;

static void onStop(int signal) {
  (void)signal;
  stopping = 1;
}

/* A signal that asks to stop ends the wait for the child, and the child. */
static int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (stopping)
      kill(child, SIGKILL);
  return status;
}

/* One child after the other, until one ends well. */
static void runChildren(Driver *d) {
  const struct sigaction stop = {.sa_handler = onStop};
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  for (;;) {
    char log[4096];
    logName(d, log, sizeof log);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
      return;
    if (!child) {
      signal(SIGINT, SIG_DFL);
      signal(SIGTERM, SIG_DFL);
      struct rlimit none = {0, 0};
      setrlimit(RLIMIT_CORE, &none);
#ifndef TILE_FUZZ_SANITIZED /* shadow memory needs its room */
      struct rlimit memory = {(rlim_t)MEMORY_LIMIT_GB << 30, (rlim_t)MEMORY_LIMIT_GB << 30};
      setrlimit(RLIMIT_AS, &memory);
#endif
      if (!freopen(log, "wb", stderr) || !freopen("/dev/null", "wb", stdout))
        _exit(4);
      work(d);
    }
    int status = waitFor(child);
    bool done = stopping || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (!done)
      report(d, status);
    unlink(log);
    if (done || d->failures >= 100)
      return;
  }
}

static bool option(const char *argument, const char *name, const char **out_value) {
  size_t n = strlen(name);
  if (strncmp(argument, name, n))
    return false;
  *out_value = argument + n;
  return true;
}

static bool parse(Driver *d, const char *argument) {
  const char *v;
  if (option(argument, "--seed=", &v))
    d->seed = strtoull(v, NULL, 10);
  else if (option(argument, "--runs=", &v))
    d->runs = strtoull(v, NULL, 10);
  else if (option(argument, "--seconds=", &v))
    d->seconds = strtod(v, NULL);
  else if (option(argument, "--timeout=", &v))
    d->timeout = (unsigned)strtoul(v, NULL, 10);
  else if (option(argument, "--limit=", &v))
    d->limit = strtoul(v, NULL, 10);
  else if (option(argument, "--keep=", &v))
    d->keep = v;
  else
    return argument[0] != '-';
  return true;
}

static void summary(const Driver *d) {
  printf("%llu texts from %zu, %llu parsed, %llu accepted, %u failures in %.0f s\n",
         (unsigned long long)d->shared->runs, d->numTexts, (unsigned long long)d->shared->parsed,
         (unsigned long long)d->shared->accepted, d->failures, elapsed(d));
}

int main(int argc, char **argv) {
  Driver d = {
      .seed = 1, .runs = UINT64_MAX, .seconds = 1e9, .timeout = 60, .keep = "fuzz-failures", .limit = 16384};
  d.start = time(NULL);
  for (int i = 1; i < argc; ++i)
    if (!parse(&d, argv[i])) {
      fprintf(stderr, "fuzz-text: unknown option '%s'\n", argv[i]);
      return 2;
    }
  d.limit = d.limit < MAX_TEXT ? d.limit : MAX_TEXT;
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-')
      addPath(&d, argv[i], true);
  mkdir(d.keep, 0777);
  d.shared = mmap(NULL, sizeof *d.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!d.numTexts || d.shared == MAP_FAILED) {
    fprintf(stderr, "fuzz-text: no texts to start from\n");
    return 2;
  }
  runChildren(&d);
  rmdir(d.keep); /* if nothing is in it */
  summary(&d);
  for (size_t i = 0; i < d.numTexts; ++i)
    free(d.corpus[i].data);
  free(d.corpus);
  return d.failures ? 1 : 0;
}
