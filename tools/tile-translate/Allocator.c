/* Allocator.c - malloc for a program that lives for milliseconds, in place of the C library's.
 *
 * A compilation allocates a few megabytes in 100,000 small blocks and ends. Half of what that costs is the first
 * touch of each page, so memory comes in chunks that the system may back with huge pages: one fault instead of
 * 512. Blocks are cut from a chunk one after the other; a freed block waits in the list of its size and is
 * taken again by the next request of that size. Sizes are multiples of 16 bytes up to 512, then four to a
 * doubling, so at most a quarter of a block is unused. Blocks of a megabyte and more are the system's own.
 *
 * Each thread has its own chunk and lists, and a block joins those of the thread that frees it: nothing is shared
 * and nothing is locked. Only the program that is linked without shared libraries has this file. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
  STEP = 16,
  SMALL_LIMIT = 512, // below: a class for each multiple of STEP
  LARGE_LIMIT = 20,  // log2 of the smallest block that is mapped alone
  NUM_CLASSES = SMALL_LIMIT / STEP + 1 + 4 * (LARGE_LIMIT - 8),
  CHUNK = 4 << 20,
  HUGE_PAGE = 2 << 20
};

/// In front of each block. What is handed out starts at a multiple of 16, eight bytes behind the header.
typedef uint64_t Header;
enum {
  ALIGNED = 1, ///< the block starts header >> 2 bytes before: it was shifted to a wider alignment
  MAPPED = 2   ///< header - MAPPED bytes from the header's page on are the block's own
  // else: four times the class
};

typedef struct Block {
  struct Block *next;
} Block;

static _Thread_local struct {
  char *next, *end; ///< what is left of the chunk; `next` is where a header goes
  Block *lists[NUM_CLASSES];
} heap;

static Header *headerOf(void *block) { return (Header *)block - 1; }

/// The class of `bytes`, header included.
static unsigned classOf(size_t bytes) {
  if (bytes <= SMALL_LIMIT)
    return (unsigned)((bytes + STEP - 1) / STEP);
  unsigned power = 63 - (unsigned)__builtin_clzll(bytes - 1);
  return SMALL_LIMIT / STEP + 1 + 4 * (power - 9) + (unsigned)((bytes - 1) >> (power - 2) & 3);
}

static size_t bytesOf(unsigned class) {
  if (class <= SMALL_LIMIT / STEP)
    return class * STEP;
  unsigned step = class - (SMALL_LIMIT / STEP + 1), power = step / 4 + 9;
  return ((size_t)1 << power) + ((size_t)(step % 4 + 1) << (power - 2));
}

static void *mapPages(size_t bytes) {
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

/// A new chunk at a multiple of a huge page's size; the rest of the old one is lost.
static _Bool refill(void) {
  char *pages = mapPages(CHUNK + HUGE_PAGE);
  if (!pages)
    return 0;
  char *start = (char *)(((uintptr_t)pages + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1));
  munmap(pages, (size_t)(start - pages));
  munmap(start + CHUNK, (size_t)(pages + HUGE_PAGE - start));
  madvise(start, CHUNK, MADV_HUGEPAGE); // in vain where the system has none
  heap.next = start + sizeof(Header);
  heap.end = start + CHUNK;
  return 1;
}

static void *allocateLarge(size_t bytes) {
  bytes = (bytes + sizeof(Header) + 4095) & ~(size_t)4095;
  char *pages = mapPages(bytes);
  if (!pages)
    return NULL;
  Header *header = (Header *)(pages + sizeof(Header));
  *header = bytes | MAPPED;
  return header + 1;
}

void *malloc(size_t size) {
  size_t bytes = size + sizeof(Header);
  void *block = NULL;
  if (size < (size_t)1 << LARGE_LIMIT) {
    unsigned class = classOf(bytes < 2 * sizeof(Header) ? 2 * sizeof(Header) : bytes);
    Block *free = heap.lists[class];
    if (free) {
      heap.lists[class] = free->next;
      return free;
    }
    size_t length = bytesOf(class);
    if ((size_t)(heap.end - heap.next) >= length || refill()) {
      *(Header *)heap.next = 4 * class;
      block = heap.next + sizeof(Header);
      heap.next += length;
    }
  } else if (size < PTRDIFF_MAX / 2) {
    block = allocateLarge(bytes);
  }
  if (!block)
    errno = ENOMEM;
  return block;
}

/// The block as malloc gave it.
static void *originOf(void *block) {
  Header header = *headerOf(block);
  return header & ALIGNED ? (char *)block - (header >> 2) : block;
}

void free(void *pointer) {
  if (!pointer)
    return;
  Block *block = originOf(pointer);
  Header header = *headerOf(block);
  if (header & MAPPED) {
    munmap((char *)headerOf(block) - sizeof(Header), header - MAPPED);
    return;
  }
  block->next = heap.lists[header / 4];
  heap.lists[header / 4] = block;
}

size_t malloc_usable_size(void *pointer) {
  if (!pointer)
    return 0;
  char *block = originOf(pointer);
  Header header = *headerOf(block);
  size_t bytes = header & MAPPED ? header - MAPPED - sizeof(Header) : bytesOf((unsigned)(header / 4));
  return bytes - sizeof(Header) - (size_t)((char *)pointer - block);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX;
  void *block = malloc(bytes);
  return block ? memset(block, 0, bytes) : NULL;
}

void *realloc(void *pointer, size_t size) {
  size_t old = malloc_usable_size(pointer);
  if (pointer && size <= old && size > old / 4)
    return pointer;
  void *block = malloc(size);
  if (block && pointer) {
    memcpy(block, pointer, old < size ? old : size);
    free(pointer);
  }
  return block;
}

void *memalign(size_t alignment, size_t size) {
  if (alignment <= STEP)
    return malloc(size);
  if (size > PTRDIFF_MAX - alignment) {
    errno = ENOMEM;
    return NULL;
  }
  char *block = malloc(size + alignment);
  size_t shift = -(uintptr_t)block & (alignment - 1);
  if (!block || shift == 0)
    return block;
  *headerOf(block + shift) = shift << 2 | ALIGNED;
  return block + shift;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **out_block, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block)
    *out_block = block;
  return block ? 0 : ENOMEM;
}

/// LLVM asks for its statistics; without this function the C library's allocator would be linked too.
struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }
