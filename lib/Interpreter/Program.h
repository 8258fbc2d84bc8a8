/* Program.h - a kernel decoded for execution, and the machine that executes it; private to lib/Interpreter.
 *
 * Decoding resolves everything that does not change from program to program: each SSA value becomes a slot
 * with its own storage, each operation becomes an instruction that points to its slots, structured control
 * flow becomes jumps, calls are inlined. Executing is then a loop over instructions; no MLIR is touched but
 * for the location of an error.
 *
 * Combiner bodies (tile.reduce, tile.scan, tile.map_elementwise) are scalar code. It is decoded once and
 * executed on many elements at a time: the slots of a body are arrays of `lanes` elements, and an instruction
 * works on as many as its slots hold at that moment. A body with control flow is executed lane by lane. */
#ifndef TILE_LIB_INTERPRETER_PROGRAM_H
#define TILE_LIB_INTERPRETER_PROGRAM_H
#include "mlir-c/IR.h"
#include "tile-c/Interpreter.h"
#include "tile-c/Numerics.h"

enum { MAX_RANK = 32, MAX_DESC_RANK = 8, CHUNK = 512 };

/// Which argument's buffer a pointer was computed from. Slots that exchange values share one root.
typedef struct Origin {
  struct Origin *parent; ///< NULL: a root
  int argument;          ///< index among the buffers; Origin_None or Origin_Any
} Origin;
enum { Origin_None = -1, Origin_Any = -2 };

typedef enum SlotKind { Slot_Number, Slot_Pointer, Slot_Descriptor } SlotKind;

typedef struct Slot {
  char *data;           ///< `count` elements of `size` bytes, row-major
  int64_t count;        ///< in a combiner body: lanes of the current run
  size_t size;          ///< bytes of an element
  TileElementType type; ///< i64 for index and pointers
  SlotKind kind;
  size_t pointeeSize;          ///< pointers: bytes of what they point to
  TileElementType pointeeType; ///< pointers; i64 for a pointer to pointers
  Origin *origin;              ///< pointers and descriptors, else NULL
  int rank;                    ///< 0 for a scalar
  const int64_t *shape;
  struct Body *body; ///< the combiner body whose lanes it holds, or NULL
} Slot;

/// A tensor descriptor at run time, the element of a Slot_Descriptor.
typedef struct Descriptor {
  uint64_t base;
  int64_t shape[MAX_DESC_RANK], strides[MAX_DESC_RANK];
  bool padNaN;
} Descriptor;

typedef struct Instruction Instruction;
typedef struct Machine Machine;
/// Executes one instruction; false: stop, a diagnostic was given.
typedef bool (*Execute)(Machine *m, const Instruction *i);

struct Instruction {
  Execute execute;
  MlirOperation op; ///< for diagnostics
  Slot **operands;  ///< an absent optional operand is NULL
  Slot **results;
  int numOperands, numResults;
  int target;       ///< of a jump
  int parameter;    ///< a number that the executor wants: an op kind, an axis
  const void *data; ///< what else the executor wants
};

/// A decoded combiner region: code[begin, end).
typedef struct Body {
  int begin, end;
  int64_t lanes; ///< capacity of its slots
  bool byLane;   ///< has control flow: one lane a run
  Slot **arguments;
  int numArguments;
  Slot **yields;
  int numYields;
  struct SlotList {
    Slot **items;
    int count, capacity;
  } slots, captures; ///< captures: pairs of an outer scalar and the lanes it is repeated in
} Body;

typedef struct Buffer {
  uint64_t start;
  uint64_t bytes;
  TileElementType type;
  int64_t numElements;
  int argument; ///< index for diagnostics
} Buffer;

struct Machine {
  Instruction **code;
  int end;
  int next; ///< instruction to execute next
  uint32_t program[3], grid[3];
  int64_t steps, maxSteps;
  const Buffer *buffers;
  int numBuffers;
  int lastBuffer; ///< where the search begins
  char *scratch;  ///< for parallel moves
  void (*print)(const char *line, void *user);
  void *printUser;
  bool others;    ///< other programs wait or are to come: one that goes round and round can be put aside
  bool waits;     ///< an instruction has put the program aside, to go on at `next`
  bool seen;      ///< a poll has seen what it waited for
  int64_t rounds; ///< of loops that may wait
};

/// Executes code[begin, end). False: an error, or `waits`.
bool interpRun(Machine *m, int begin, int end);
/// Reports at the instruction's op: "'tile.load' op program (1, 0, 0): ...". Always false.
bool interpError(const Machine *m, const Instruction *i, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// "element [1, 2]" of a tensor into `text`; "" for a scalar. Returns text.
const char *interpElementText(const Slot *slot, int64_t element, char *text, size_t size);

/// Copies `count` elements of `size` bytes (any of 1, 2, 4, 8; others bytewise); strides in elements, 0
/// repeats.
void interpCopyElements(char *destination, int64_t destinationStride, const char *source,
                        int64_t sourceStride, int64_t count, size_t size);

/// Checks that `bytes` at `address`, of element `element` of pointer slot `pointer`, lie in a buffer and are
/// aligned to `alignment`. `verb`: "reads" or "writes".
bool interpCheckAccess(Machine *m, const Instruction *i, const Slot *pointer, int64_t element,
                       uint64_t address, size_t bytes, const char *verb);

/// Runs a body on `lanes` lanes; its arguments hold the operands. After it, the yields hold the results.
bool interpRunBody(Machine *m, Body *body, int64_t lanes);

#endif
