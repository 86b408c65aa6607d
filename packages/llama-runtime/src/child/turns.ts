/** How urgent calls are, the most urgent first; an order, not a share: see {@link Turns}. */
export const priorities = ['interactive', 'batch', 'ingest'] as const;
export type Priority = (typeof priorities)[number];

/** Header of a request that says how urgent it is. */
export const PRIORITY_HEADER = 'x-priority';

/** What a header says; who says nothing is waited for by somebody. */
export const priorityOf = (header: unknown): Priority =>
  priorities.find((priority) => priority === header) ?? 'interactive';

/** So many may pass those of a lower priority; then it is their turn, once. */
export const MAX_PASSED = 8;

/**
 * Who waits, in the order of their turns: the more urgent first, whoever came before them, and first come first served among equals. After
 * {@link MAX_PASSED} that were more urgent one of the others is next, so that nobody waits for ever.
 */
export interface Turns<T> {
  push(item: T, priority: Priority): void;
  /** Whose turn it is; `interactiveOnly`: of those alone. */
  next(interactiveOnly?: boolean): T | undefined;
  /** Takes one out as served: those of lower priorities were passed once more. */
  serve(item: T): void;
  /** Takes one out that gave up. False where it does not wait. */
  remove(item: T): boolean;
  /** How many wait. With a priority: of it and those above, as the others make nobody wait. */
  size(priority?: Priority): number;
  /** Takes all out. */
  clear(): T[];
}

export function createTurns<T>(): Turns<T> {
  const lines = priorities.map(() => ({ items: new Set<T>(), passed: 0 }));
  const firstOf = ({ items }: { readonly items: ReadonlySet<T> }): T | undefined => items.values().next().value;
  const levelOf = (item: T): number => lines.findIndex(({ items }) => items.has(item));

  return {
    push: (item, priority) => void lines[priorities.indexOf(priority)]?.items.add(item),
    next(interactiveOnly = false) {
      const open = interactiveOnly ? lines.slice(0, 1) : lines;
      const due = open.find(({ items, passed }) => items.size > 0 && passed >= MAX_PASSED);
      const line = due ?? open.find(({ items }) => items.size > 0);
      return line && firstOf(line);
    },
    serve(item) {
      const level = levelOf(item);
      for (const [i, line] of lines.entries()) {
        if (i === level) line.passed = 0;
        else if (i > level && line.items.size > 0) line.passed++;
      }
      lines[level]?.items.delete(item);
    },
    remove: (item) => lines.some(({ items }) => items.delete(item)),
    size(priority = 'ingest') {
      const last = priorities.indexOf(priority);
      return lines.reduce((sum, { items }, level) => (level <= last ? sum + items.size : sum), 0);
    },
    clear() {
      const all = lines.flatMap(({ items }) => [...items]);
      for (const line of lines) {
        line.items.clear();
        line.passed = 0;
      }
      return all;
    },
  };
}
