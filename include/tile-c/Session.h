/* Session.h - one compilation from inside: the parsed module with the options and the target that belong to
 * it.
 *
 * What tileCompile, the `cpu` device and the simulator start from. Each session has its own MLIR context
 * unless it is given one; sessions of different threads share nothing. */
#ifndef TILE_C_SESSION_H
#define TILE_C_SESSION_H
#include "mlir-c/IR.h"
#include "tile-c/Compile.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/StringBuilder.h"
#include "tile-c/Target.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileSession TileSession;

/// Checks the options, fills the parameters of the text in (`-D`), parses and verifies it, and keeps only the
/// kernel that `options->kernel` names (NULL: all). Every diagnostic of the session's context goes to the
/// callback, its columns those of `text`. NULL: diagnostics were given, and *out_status (if not NULL) says
/// what does not do. `options` and its strings are borrowed until the session is closed.
TileSession *tileSessionOpen(const char *text, size_t size, const TileCompileOptions *options,
                             TileStatus *out_status);
void tileSessionClose(TileSession *session);

/// The same in a context that outlives the session, of one session at a time: to open thousands of small
/// texts without loading the dialects for each. Types and attributes stay in the context. Null: its own.
TileSession *tileSessionOpenIn(MlirContext context, const char *text, size_t size,
                               const TileCompileOptions *options, TileStatus *out_status);
/// A context with everything registered that sessions need; destroy it with mlirContextDestroy.
MlirContext tileSessionContextCreate(void);

/// Owned by the session. Passes may change it in place.
MlirModule tileSessionGetModule(const TileSession *session);
/// The options with defaults filled in: numWarps, numStages, numCtas and optLevel are valid.
const TileCompileOptions *tileSessionGetOptions(const TileSession *session);
/// The target without its disabled features; NULL if the options name none.
const TileTargetInfo *tileSessionGetTarget(const TileSession *session);

/// The name that the text gives argument i of a kernel; length 0 if none. Valid while the session is open.
const char *tileSessionArgumentName(const TileSession *session, MlirStringRef kernel, size_t i,
                                    size_t *out_length);
/// The text's declared parameters with the values taken; returns how many.
size_t tileSessionGetChoices(const TileSession *session, TileArena *arena, TileDefine **out_choices);
/// Part i of three of the grid that the text declares, an expression of arguments' names; NULL if there is none.
const char *tileSessionGetGrid(const TileSession *session, int i, TileArena *arena);

/// Appends "file:line:column" of a location, the column as it is in the text that was given (before
/// parameters were filled in); only the file's name if there is no position.
void tileSessionAppendPosition(const TileSession *session, MlirLocation loc, TileStringBuilder *out);

/// A kernel as a text defines it.
typedef struct TileKernelView {
  MlirOperation
      op; ///< func.func with tile.kernel, public tt.func, or llvm.func with nvvm.kernel or rocdl.kernel
  MlirStringRef name;
  MlirAttribute argAttrs; ///< array of dictionaries, or null
  MlirBlock entry;        ///< its arguments are the kernel's parameters
} TileKernelView;

/// True if `op` is a kernel.
bool tileKernelViewGet(MlirOperation op, TileKernelView *out_view);
/// The module's first kernel, or the next one after `op` (null: from the start); false if there is none.
bool tileKernelViewNext(MlirModule module, MlirOperation op, TileKernelView *out_view);

/// Whether MLIR's parser can be given the text: it recurses with brackets and crashes on arrays of index. False:
/// a diagnostic was given. A session asks by itself.
bool tileCheckParserInput(const char *text, size_t size, const TileCompileOptions *options);
/// Parses and verifies a whole module; `name` is what locations call it. Null after diagnostics.
MlirModule tileParseModule(MlirContext context, MlirStringRef text, const char *name);
/// Parses and no more: LLVM's verifiers crash on some texts that its parser takes.
MlirModule tileParseModuleUnverified(MlirContext context, MlirStringRef text, const char *name);
/// Whether no op has attributes that LLVM's verifiers or printers crash on. False: diagnostics were given.
bool tileCheckAttributes(MlirOperation root);
/// Whether LLVM IR has such a type.
bool tileTypeIsLLVM(MlirType type);

#ifdef __cplusplus
}
#endif
#endif
