/** A piece of an equation's script. */
export interface EquationToken {
  /** `end` stands behind the last piece. */
  readonly kind: 'word' | 'number' | 'sign' | 'text' | 'end';
  readonly value: string;
  /** White space stands before it: that ends a term. */
  readonly gap: boolean;
}

/** Longer signs first. */
const pattern =
  /(?<space>\s+)|"(?<text>[^"]*)"?|(?<word>[A-Za-z]+)|(?<number>\d+(?:[.,]\d+)*)|(?<sign><->|<<<|>>>|\.\.\.|->|<-|=>|<=|>=|!=|==|\+-|-\+|<<|>>)|(?<other>[^])/gu;
const letters = /^[\p{L}\p{M}]$/u;

/** Names that are known also where letters follow without a space, as in `sinx` or `rmCO`. */
const prefix =
  /^(arcsin|arccos|arctan|sinh|cosh|tanh|coth|cosec|sin|cos|tan|cot|sec|csc|log|ln|lim|exp|max|min|det|gcd|lcm|times|TIMES|sim|SIM|it)([A-Za-z]{1,2})$|^(rm)([A-Za-z]{1,6})$/u;

/** Cuts a script into its pieces; letters of other scripts that stand together are one text. */
export const tokenize = (script: string, isKnown: (word: string) => boolean): EquationToken[] => {
  const tokens: EquationToken[] = [];
  let gap = true;
  const add = (kind: EquationToken['kind'], value: string): void => {
    const last = tokens.at(-1);
    if (kind === 'text' && last?.kind === 'text' && !gap && letters.test(value))
      tokens[tokens.length - 1] = { ...last, value: last.value + value };
    else tokens.push({ kind, value, gap });
    gap = false;
  };
  for (const { groups = {} } of script.matchAll(pattern)) {
    if (groups['space'] !== undefined) gap = true;
    else if (groups['text'] !== undefined) add('text', groups['text']);
    else if (groups['number'] !== undefined) add('number', groups['number']);
    else if (groups['word'] !== undefined) {
      const word = groups['word'];
      const found = isKnown(word) ? null : prefix.exec(word);
      const [name, rest] = [found?.[1] ?? found?.[3], found?.[2] ?? found?.[4]];
      if (name === undefined) add('word', word);
      else {
        add('word', name);
        add('word', rest!);
      }
    } else {
      const value = groups['sign'] ?? groups['other'] ?? '';
      add(groups['sign'] === undefined && letters.test(value) ? 'text' : 'sign', value);
    }
  }
  return tokens;
};
