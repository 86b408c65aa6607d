/** What waits: tenants take turns, each with its own in order. */
export interface Line<T> {
  readonly length: number;
  /** What is next. */
  first(): T | undefined;
  /** Takes what is next; its tenant goes to the end of the line. */
  take(): T | undefined;
  /** `ahead`: before what else the tenant has waiting. */
  add(one: T, ahead: boolean): void;
  has(one: T): boolean;
  /** Returns whether it was waiting. */
  remove(one: T): boolean;
  /** Makes it this tenant's turn. */
  prefer(tenant: string): void;
  /** Takes all. */
  empty(): readonly T[];
}

export function createLine<T extends { readonly tenant: string }>(): Line<T> {
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
  const first = () => queues.values().next().value?.[0];

  return {
    get length() {
      return [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
    },
    first,
    take() {
      const one = first();
      if (one === undefined) return undefined;
      remove(one);
      const rest = queues.get(one.tenant);
      queues.delete(one.tenant);
      if (rest !== undefined) queues.set(one.tenant, rest);
      return one;
    },
    add(one, ahead) {
      const queue = queues.get(one.tenant);
      if (queue === undefined) queues.set(one.tenant, [one]);
      else if (ahead) queue.unshift(one);
      else queue.push(one);
    },
    has: (one) => queues.get(one.tenant)?.includes(one) ?? false,
    remove,
    prefer(tenant) {
      const queue = queues.get(tenant);
      if (queue !== undefined) queues = new Map([[tenant, queue], ...queues]);
    },
    empty() {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
}
