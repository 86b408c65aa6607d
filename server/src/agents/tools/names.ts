// Names under which a model knows tools: 1 to 64 of [a-zA-Z0-9_-]. Source: chat completions, tools[].function.name.

const MAX_LENGTH = 64;
const FALLBACK = 'tool';
/** Of a longer text only the beginning is looked at, since strangers write it. */
const MAX_READ_LENGTH = 300;

/** A text as a part of such a name. */
export const plainName = (text: string, longest = MAX_LENGTH): string =>
  text
    .slice(0, MAX_READ_LENGTH)
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, longest);

/** Room for the name of the server where a tool's needs one. */
const MAX_PREFIX_LENGTH = 20;

function prefixed(name: string, server: string | null): string {
  const prefix = server === null ? '' : plainName(server, MAX_PREFIX_LENGTH);
  return prefix === '' ? name : `${prefix}_${name}`.slice(0, MAX_LENGTH);
}

/** A name for each, of which no two are the same: the server's before it where two have one name, then a number. */
export function uniqueNames(
  tools: readonly { readonly name: string; readonly server: string | null }[],
): readonly string[] {
  const plain = tools.map(({ name }) => plainName(name) || FALLBACK);
  const count = new Map<string, number>();
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1);
  const wanted = plain.map((name, i) => ((count.get(name) ?? 0) > 1 ? prefixed(name, tools[i]?.server ?? null) : name));
  const reserved = new Set(wanted);
  const taken = new Set<string>();
  return wanted.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique) || (unique !== name && reserved.has(unique)); number++) {
      const end = `_${number}`;
      unique = name.slice(0, MAX_LENGTH - end.length) + end;
    }
    taken.add(unique);
    return unique;
  });
}
