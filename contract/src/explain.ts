import { z } from 'zod';
import { closestMatch } from './nearest.ts';

type Issue = z.core.$ZodIssue;

/** Why a value was refused: the path of the field as clients write it, and a sentence that says what would be right. */
export interface Explanation {
  readonly param: string | null;
  readonly message: string;
}

/** `['messages', 0, 'role']` as `messages[0].role`. */
export function fieldPath(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? String(part) : `.${String(part)}`))
    .join('');
}

/** Zod error map for requests: suggests the field that an unknown one was meant to be, or lists the known ones. */
export const suggestKnownFields: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return undefined;
  const known = Object.keys(issue.inst.shape);
  const near = closestMatch(firstKey(issue.keys), known);
  return near === null ? `known here: ${known.join(', ')}` : `did you mean ${near}?`;
};

const HINT = /^(?:known here: |did you mean )/;

/** The first of the fields that are not known; names are of any length. */
const firstKey = (keys: readonly string[]) => (keys[0] ?? '').slice(0, 100);

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`);

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const elementsOf = (value: unknown, count: unknown): string => {
  const texts = Array.isArray(value) && value.every((element) => typeof element === 'string');
  return `${texts ? 'string' : 'element'}${Number(count) === 1 ? '' : 's'}`;
};

/** Whether a form of a union is of the value's own kind, so that only what is in it, or how much, is wrong. */
const isOfKind = (branch: readonly Issue[]): boolean =>
  branch.every(
    ({ code, path }) =>
      path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union'),
  );

/** The issue of a union that is about the form the caller most likely meant: one of the value's kind, else the one with the longest path. */
function mostRelevantIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const fitting = issue.errors.filter(isOfKind);
  let best: Issue | undefined;
  for (const branch of fitting.length > 0 ? fitting : issue.errors) {
    for (const inner of branch) {
      const found = mostRelevantIssue({ ...inner, path: [...issue.path, ...inner.path] });
      if (!best || found.path.length > best.path.length) best = found;
    }
  }
  return best && (fitting.length > 0 || best.path.length > issue.path.length) ? best : issue;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}

function unionKinds(issue: Issue & { code: 'invalid_union' }): string[] {
  const found = new Set<string>();
  for (const branch of issue.errors) {
    for (const inner of branch) {
      if (inner.path.length > 0) continue;
      if (inner.code === 'invalid_type') found.add(kinds[inner.expected] ?? inner.expected);
      if (inner.code === 'invalid_value') found.add(`one of ${inner.values.map((v) => JSON.stringify(v)).join(', ')}`);
      if (inner.code === 'invalid_union') for (const kind of unionKinds(inner)) found.add(kind);
    }
  }
  return [...found];
}

function describeIssue(issue: Issue, name: string, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = kinds[issue.expected] ?? issue.expected;
      return value === undefined
        ? `${name} is required and must be ${expected}`
        : `${name} must be ${expected}, not ${kindOf(value)}`;
    }
    case 'invalid_value': {
      const values = issue.values.map((v) => JSON.stringify(v)).join(', ');
      return `${name} must be ${issue.values.length === 1 ? values : `one of ${values}`}`;
    }
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) > 1
          ? `${name} must have at least ${issue.minimum} characters`
          : `${name} must not be empty`;
      if (issue.origin === 'array')
        return `${name} must hold at least ${issue.minimum} element${Number(issue.minimum) === 1 ? '' : 's'}`;
      return `${name} must be ${issue.inclusive === false ? 'greater than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `${name} must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array')
        return `${name} must hold at most ${issue.maximum} ${elementsOf(value, issue.maximum)}`;
      return `${name} must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'unrecognized_keys':
      return `${name} is not a known field${HINT.test(issue.message) ? `; ${issue.message}` : ''}`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `${name} has the wrong form` : `${name}: ${issue.message}`;
    case 'invalid_union': {
      const allowed = unionKinds(issue);
      if (allowed.length > 0) {
        const verb = value === undefined ? 'is required and must be' : 'must be';
        return `${name} ${verb} ${allowed.join(' or ')}`;
      }
      return `${name} has a form that is not supported`;
    }
    default:
      return /^(?:is|must) /.test(issue.message) ? `${name} ${issue.message}` : `${name}: ${issue.message}`;
  }
}

const discriminators: Record<string, string> = {
  role: '"system", "developer", "user", "assistant", "tool"',
};

/** Explains the first problem of a failed parse in the caller's own terms. */
export function explain(error: z.core.$ZodError, input: unknown): Explanation {
  // What is missing may be there under a wrong name.
  const first = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (!first) return { param: null, message: 'The request is not valid' };
  const issue = mostRelevantIssue(first);
  const param = fieldPath(issue.code === 'unrecognized_keys' ? [...issue.path, firstKey(issue.keys)] : issue.path);
  const name = param ?? 'The body';
  const value = valueAt(input, issue.path);
  if (issue.code === 'invalid_union' && 'discriminator' in issue && typeof issue.discriminator === 'string') {
    const known =
      discriminators[issue.discriminator] ??
      ('options' in issue && Array.isArray(issue.options)
        ? issue.options.map((o) => JSON.stringify(o)).join(', ')
        : undefined);
    return {
      param,
      message:
        value === undefined
          ? `${name} is required`
          : `${name} must be ${known ? `one of ${known}` : 'one of the known values'}`,
    };
  }
  return { param, message: describeIssue(issue, name, value) };
}
