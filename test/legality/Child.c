/* Child.c - forks, listens, waits. */
#include "Child.h"
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 120 };

/* Reads to the end, keeps the beginning. */
static void listen(int from, char *words) {
  size_t length = 0;
  char ignored[512];
  for (;;) {
    bool full = length == CHILD_WORDS - 1;
    ssize_t n =
        full ? read(from, ignored, sizeof ignored) : read(from, words + length, CHILD_WORDS - 1 - length);
    if (n <= 0)
      break;
    length += full ? 0 : (size_t)n;
  }
  words[length] = 0;
}

int childRun(int (*work)(void *user), void *user, char *words) {
  int ends[2], status;
  *words = 0;
  if (pipe(ends))
    return -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    alarm(SECONDS);
    _exit(work(user));
  }
  close(ends[1]);
  listen(ends[0], words);
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}
