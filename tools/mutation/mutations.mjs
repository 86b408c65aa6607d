// Small wrong changes to a source, each of which some test should notice.
import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';

/** By operator, what it is taken for. */
const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
};
const methods = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some' };
/** A text that programs compare, in contrast to one for people. */
const CODE = /^[a-z][a-z0-9_.:/-]*$/;
/** Keys below which nothing runs. */
const types = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
]);
const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
/** What is told to operators is free to change. */
const LOG = /(?:^|[.#])log\.\w+$/;

const isLeaf = (node) => node === null || typeof node !== 'object';
const unwrapped = (node) => (wrappers.has(node.type) ? unwrapped(node.expression) : node);
/** Null, or false, which is the same as null to whoever asks for it as a condition; another rule makes it true. */
const isNothing = ({ type, value, raw }) => type === 'Literal' && (raw === 'null' || value === false);
const isLog = (text, { type, expression, callee }) =>
  type === 'ChainExpression'
    ? isLog(text, expression)
    : type === 'CallExpression' && LOG.test(text.slice(callee.start, callee.end).replaceAll(/[?\s]/g, ''));

/** The place of an operator between two nodes. */
function between(text, operator, from, to) {
  const start = text.indexOf(operator, from);
  if (start < 0 || start + operator.length > to) throw new Error(`${operator} is not where it was looked for`);
  return { start, end: start + operator.length };
}

const swapped = (text, operator, from, to) =>
  operator in operators ? [{ ...between(text, operator, from, to), to: operators[operator] }] : [];

const removed = ({ start, end }) => [{ start, end, to: ';' }];
const condition = ({ start, end }) => [
  { start, end, to: 'true' },
  { start, end, to: 'false' },
];
const nothing = (node) => (isNothing(unwrapped(node)) ? [] : [{ start: node.start, end: node.end, to: 'null' }]);

/** What may be made of each kind of node. `parent` is the node above it, `key` its name there. */
const rules = {
  BinaryExpression: ({ operator, left, right }, text) => swapped(text, operator, left.end, right.start),
  LogicalExpression: ({ operator, left, right, end }, text) =>
    operator === '??' ? [{ start: left.end, end, to: '' }] : swapped(text, operator, left.end, right.start),
  AssignmentExpression: ({ operator, left, right }, text) => swapped(text, operator, left.end, right.start),
  UpdateExpression: ({ operator, start, end }, text) => swapped(text, operator, start, end),
  UnaryExpression: ({ operator, start, argument }) =>
    operator === '!' ? [{ start, end: argument.start, to: '' }] : [],
  Literal({ value, start, end }, _text, parent, key) {
    if (typeof value === 'number') return [{ start, end, to: String(value + 1) }];
    if (typeof value === 'boolean') return [{ start, end, to: String(!value) }];
    const isName = key === 'source' || key === 'key' || parent.type === 'ExpressionStatement';
    return typeof value === 'string' && CODE.test(value) && !isName ? [{ start, end, to: "'mutated'" }] : [];
  },
  IfStatement: ({ test }) => condition(test),
  ConditionalExpression: ({ test }) => condition(test),
  ExpressionStatement: (node, text) =>
    node.directive || isLog(text, node.expression) || node.expression.callee?.type === 'Super' ? [] : removed(node),
  ThrowStatement: removed,
  ContinueStatement: removed,
  ReturnStatement: (node) => (node.argument ? nothing(node.argument) : removed(node)),
  ArrowFunctionExpression: ({ body, expression }) => (expression ? nothing(body) : []),
  MemberExpression: ({ property }, _text, parent, key) =>
    key === 'callee' && parent.type === 'CallExpression' && Object.hasOwn(methods, property.name)
      ? [{ start: property.start, end: property.end, to: methods[property.name] }]
      : [],
};

function* walk(node, parent, key) {
  if (Array.isArray(node)) for (const one of node) yield* walk(one, parent, key);
  else if (!isLeaf(node)) {
    const isType = node.type?.startsWith('TS') && !wrappers.has(node.type);
    if (isType || node.type === 'ImportDeclaration') return;
    if (node.type) yield [node, parent, key];
    for (const [name, value] of Object.entries(node)) if (!types.has(name)) yield* walk(value, node, name);
  }
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();
const MAX_SHOWN = 60;
const short = (text) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/**
 * The mutations of a source, in the order of their places: where, what stands there instead, and the whole text then. The `change` tells it
 * in words and, with the path and the count among equals (`nth`), names it for as long as that piece of the source stays as it is.
 */
export function mutationsOf(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const seen = new Map();
  const found = [...walk(program.body, program, 'body')]
    .flatMap(([node, parent, key]) => rules[node.type]?.(node, text, parent, key) ?? [])
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return found.map(({ start, end, to }) => {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = text.indexOf('\n', start);
    const line = text.slice(0, start).split('\n').length;
    const within = oneLine(text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd));
    const from = oneLine(text.slice(start, end));
    const isLine = from === within || from.startsWith(within);
    const change = `${isLine ? '' : `${short(within)}: `}${short(from)} → ${to === ';' || to === '' ? 'nothing' : to}`;
    const nth = (seen.get(change) ?? 0) + 1;
    seen.set(change, nth);
    return { path, line, change, nth, mutated: () => text.slice(0, start) + to + text.slice(end) };
  });
}

/** A repeatable choice, which hardly changes with the sources: each mutation has a place in the order by its name and the seed. */
export function sample(mutations, count, seed) {
  const order = ({ path, change, nth }) =>
    createHash('sha256')
      .update(JSON.stringify([seed, path, change, nth]))
      .digest('hex');
  return mutations
    .map((mutation) => [order(mutation), mutation])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, count)
    .map(([, mutation]) => mutation);
}
