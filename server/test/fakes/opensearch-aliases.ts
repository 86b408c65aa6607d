import type { Query } from './opensearch-query.ts';

// Aliases of the fake of OpenSearch, as its cluster keeps them.

/** What an index is known by besides its name. */
export interface Alias {
  readonly filter?: Query;
  readonly routing?: string;
  readonly is_write_index?: boolean;
}

export interface Named {
  aliases: Readonly<Record<string, Alias>>;
}

/** Whether a name is the one that is asked for, which may end with `*`. */
export const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** An alias as it is shown: its routing twice. */
export const shown = ({ routing, ...rest }: Alias): object =>
  routing === undefined ? rest : { ...rest, index_routing: routing, search_routing: routing };

export const shownAliases = (aliases: Named['aliases'], isAsked: (alias: string) => boolean = () => true): object =>
  Object.fromEntries(
    Object.entries(aliases)
      .filter(([alias]) => isAsked(alias))
      .map(([alias, one]) => [alias, shown(one)]),
  );

interface Action {
  readonly index: string;
  readonly alias: string;
  readonly must_exist?: boolean;
}

/** Why a change of aliases is refused: its status and reason; null where all of it was done. */
export function changeAliases(
  indices: ReadonlyMap<string, Named>,
  actions: readonly Readonly<Record<'add' | 'remove', Action & Alias>>[],
): readonly [number, string] | null {
  const changed = new Map([...indices].map(([name, { aliases }]) => [name, { ...aliases }]));
  for (const { add, remove } of actions) {
    const { index, alias, must_exist: mustExist, ...one } = add ?? remove;
    const aliases = changed.get(index);
    if (aliases === undefined) return [404, `no such index [${index}]`];
    if (add === undefined) {
      if (mustExist === true && !Object.hasOwn(aliases, alias)) return [404, `aliases [${alias}] missing`];
      delete aliases[alias];
    } else aliases[alias] = one;
    const writers = [...changed.values()].filter((own) => own[alias]?.is_write_index === true);
    if (writers.length > 1) return [400, `alias [${alias}] has more than one write index`];
  }
  for (const [name, aliases] of changed) Object.assign(indices.get(name) ?? {}, { aliases });
  return null;
}
