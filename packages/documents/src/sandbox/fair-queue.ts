/** A fair queue: round-robin over tenants, first in first out within one. */
export interface FairQueue<T> {
  readonly length: number;
  /** The next item, which stays in the queue. */
  peek(): T | undefined;
  /** Removes and returns the next item; its tenant goes to the end of the rotation. */
  dequeue(): T | undefined;
  /** `atFront`: before the other items of its tenant. */
  enqueue(one: T, atFront: boolean): void;
  has(one: T): boolean;
  /** Returns whether it was in the queue. */
  remove(one: T): boolean;
  /** Serves this tenant next. */
  prioritize(tenant: string): void;
  /** Removes and returns all items. */
  drain(): readonly T[];
}

export function createFairQueue<T extends { readonly tenant: string }>(): FairQueue<T> {
  /** In the order in which tenants take turns; none is empty. */
  let queues = new Map<string, T[]>();

  function remove(one: T): boolean {
    const queue = queues.get(one.tenant) ?? [];
    const at = queue.indexOf(one);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) queues.delete(one.tenant);
    return true;
  }
  const peek = () => queues.values().next().value?.[0];

  return {
    get length() {
      return [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
    },
    peek,
    dequeue() {
      const one = peek();
      if (one === undefined) return undefined;
      remove(one);
      const rest = queues.get(one.tenant);
      queues.delete(one.tenant);
      if (rest !== undefined) queues.set(one.tenant, rest);
      return one;
    },
    enqueue(one, atFront) {
      const queue = queues.get(one.tenant);
      if (queue === undefined) queues.set(one.tenant, [one]);
      else if (atFront) queue.unshift(one);
      else queue.push(one);
    },
    has: (one) => queues.get(one.tenant)?.includes(one) ?? false,
    remove,
    prioritize(tenant) {
      const queue = queues.get(tenant);
      if (queue !== undefined) queues = new Map([[tenant, queue], ...queues]);
    },
    drain() {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
}
