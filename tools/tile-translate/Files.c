/* Files.c - reading the input, and writing outputs so that a reader never sees half of one. */
#include "TileTranslate.h"
#include "tile-c/File.h"
#include "tile-c/Manifest.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Reading ----

TranslateStatus translateReadInput(const char *path, char **out_text, size_t *out_size) {
  TileError error;
  if (!tileFileRead(path, out_text, out_size, &error))
    return TranslateStatus_Ok;
  return translateFail(TranslateStatus_Failed, "%s: %s", strcmp(path, "-") ? path : "standard input",
                       error.text);
}

// ---- Writing ----

static bool isBinary(TileEmit emit) { return emit == TileEmit_Cubin || emit == TileEmit_HSACO; }

TranslateStatus translateCheckOutput(const TranslateOptions *options) {
  struct stat status, input;
  if (!options->output && isBinary(options->emit) && isatty(STDOUT_FILENO))
    return translateFail(TranslateStatus_Usage,
                         "a %s is binary and standard output is a terminal: give -o FILE",
                         tileEmitName(options->emit));
  if (options->output && stat(options->output, &status) == 0 && S_ISDIR(status.st_mode))
    return translateFail(TranslateStatus_Failed, "%s is a folder, expected the name of a file",
                         options->output);
  if (options->output && strcmp(options->input, "-") != 0 && stat(options->input, &input) == 0 &&
      stat(options->output, &status) == 0 && S_ISREG(status.st_mode) && input.st_dev == status.st_dev &&
      input.st_ino == status.st_ino)
    return translateFail(TranslateStatus_Usage, "-o: got %s, the file that is read, expected another one",
                         options->output);
  return TranslateStatus_Ok;
}

static bool writeAll(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t written = write(fd, data, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    size -= (size_t)written;
  }
  return true;
}

/// A device or pipe cannot be replaced: it is written to as it is.
static TranslateStatus writeSpecial(const char *path, const char *data, size_t size) {
  int fd = open(path, O_WRONLY);
  bool written = fd >= 0 && writeAll(fd, data, size);
  int error = errno;
  if (fd >= 0)
    close(fd);
  return written ? TranslateStatus_Ok
                 : translateFail(TranslateStatus_Failed, "cannot write %s: %s", path, strerror(error));
}

/// Permissions that the umask leaves a new file.
static mode_t newFileMode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Writes beside `path` and renames. Nothing is left behind on failure.
static TranslateStatus writeFile(const char *path, const char *data, size_t size) {
  char temporary[PATH_MAX];
  if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= (int)sizeof temporary)
    return translateFail(TranslateStatus_Failed, "the name of the output is too long");
  int fd = mkstemp(temporary);
  if (fd < 0)
    return translateFail(TranslateStatus_Failed, "cannot write %s: %s", path, strerror(errno));
  bool done = writeAll(fd, data, size) && fchmod(fd, newFileMode()) == 0;
  int error = errno;
  if (close(fd) != 0 && done) {
    done = false;
    error = errno;
  }
  if (done && rename(temporary, path) == 0)
    return TranslateStatus_Ok;
  error = done ? errno : error;
  unlink(temporary);
  return translateFail(TranslateStatus_Failed, "cannot write %s: %s", path, strerror(error));
}

/// The manifest names the binary that it lies beside.
static TranslateStatus writeManifest(const TranslateOptions *options, const TileCompileResult *result) {
  TileManifest manifest;
  TileError error;
  if (tileManifestParse(result->manifest, result->manifestSize, &manifest, &error))
    return translateFail(TranslateStatus_Failed, "%s", error.text);
  const char *slash = strrchr(options->output, '/');
  manifest.file = slash ? slash + 1 : options->output;
  size_t size = 0;
  char *text = tileManifestWrite(&manifest, &size);
  char *path = tileManifestPathFor(options->output);
  TranslateStatus status = text && path
                               ? writeFile(path, text, size)
                               : translateFail(TranslateStatus_Failed, "the manifest cannot be written");
  free(path);
  free(text);
  tileManifestRelease(&manifest);
  return status;
}

TranslateStatus translateWriteOutput(const TranslateOptions *options, const TileCompileResult *result) {
  struct stat status;
  if (!options->output) {
    fflush(stdout);
    return writeAll(STDOUT_FILENO, result->data, result->size)
               ? TranslateStatus_Ok
               : translateFail(TranslateStatus_Failed, "cannot write standard output: %s", strerror(errno));
  }
  if (stat(options->output, &status) == 0 && !S_ISREG(status.st_mode))
    return writeSpecial(options->output, result->data, result->size);
  TranslateStatus written = writeFile(options->output, result->data, result->size);
  bool hasManifest = result->manifest && (isBinary(options->emit) || options->emit == TileEmit_PTX);
  if (written || !hasManifest)
    return written;
  written = writeManifest(options, result);
  if (written)
    unlink(options->output); /* a binary is of no use without it */
  return written;
}
