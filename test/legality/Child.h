/* Child.h - work that may end the process is done in a child. */
#ifndef TILE_TEST_LEGALITY_CHILD_H
#define TILE_TEST_LEGALITY_CHILD_H
#include <stddef.h>

enum { CHILD_WORDS = 300 };

/// Runs `work` in a child and returns its result (an exit status), or -1 if the child ended in another way: killed,
/// or after two minutes. `words`, of CHILD_WORDS bytes, gets what it first wrote on stderr.
int childRun(int (*work)(void *user), void *user, char *words);

#endif
