import { type Budget, RENDER_LIMITS } from './budget.ts';
import { filterOf } from './filters.ts';
import { attributeOf, sliceOf, subscriptOf } from './members.ts';
import { operate, signed } from './operators.ts';
import type { Scope } from './scope.ts';
import type { Argument, Call, Expression, FilterUse, Member } from './syntax.ts';
import { testOf } from './tests.ts';
import { type Keywords, Tuple, type Value, floatOf, isTrue, itemsOf, typeName } from './values.ts';

/** What expressions need beside their scope. */
export interface Evaluation {
  readonly budget: Budget;
}

/** Arguments of a call, by place and by name. */
export function argumentsOf(given: readonly Argument[], scope: Scope, on: Evaluation) {
  const args: Value[] = [];
  const keywords = new Map<string, Value>();
  for (const each of given) {
    if (each.type === 'KeywordArgumentExpression') keywords.set(each.key.value, evaluate(each.value, scope, on));
    else if (each.type === 'SpreadExpression') args.push(...spread(evaluate(each.argument, scope, on), on));
    else if (each.type === 'KeywordSpreadExpression') {
      const more = evaluate(each.argument, scope, on);
      if (!(more instanceof Map)) throw new Error(`argument after ** must be a mapping, not ${typeName(more)}`);
      for (const [key, value] of more) if (typeof key === 'string') keywords.set(key, value);
    } else args.push(evaluate(each, scope, on));
  }
  return { args, keywords };
}

function spread(value: Value, { budget }: Evaluation): readonly Value[] {
  const items = itemsOf(value, budget);
  if (items.length > RENDER_LIMITS.list / 100) throw new Error('too many arguments');
  return items;
}

/** The name of what is called, for errors. */
const nameOf = (callee: Expression): string =>
  callee.type === 'Identifier'
    ? callee.value
    : callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
      ? callee.property.value
      : 'value';

export function callValue(callee: Value, args: readonly Value[], keywords: Keywords, name: string): Value {
  if (typeof callee === 'function') return callee(args, keywords);
  throw new Error(callee === undefined ? `'${name}' is undefined` : `'${typeName(callee)}' object is not callable`);
}

function callOf({ callee, args: given }: Call, scope: Scope, on: Evaluation): Value {
  const called = evaluate(callee, scope, on);
  const { args, keywords } = argumentsOf(given, scope, on);
  return callValue(called, args, keywords, nameOf(callee));
}

function memberOf({ object, property, computed }: Member, scope: Scope, on: Evaluation): Value {
  const value = evaluate(object, scope, on);
  if (property.type === 'SliceExpression') {
    const bound = (each: Expression | undefined) => (each ? evaluate(each, scope, on) : undefined);
    return sliceOf(value, [bound(property.start), bound(property.stop), bound(property.step)], on.budget);
  }
  if (computed) {
    if (value === undefined) throw new Error(`'${nameOf(object)}' is undefined`);
    return subscriptOf(value, evaluate(property, scope, on), on.budget);
  }
  const name = property.type === 'Identifier' || property.type === 'IntegerLiteral' ? property.value : undefined;
  if (value === undefined) throw new Error(`'${nameOf(object)}' is undefined`);
  return attributeOf(value, name, on.budget);
}

/** A filter's value. */
export function filtered(value: Value, use: FilterUse, scope: Scope, on: Evaluation): Value {
  if (use.type === 'Identifier')
    return filterOf(use.value)(value, { args: [], keywords: new Map(), budget: on.budget });
  if (use.callee.type !== 'Identifier') throw new Error('a filter is named by a word');
  return filterOf(use.callee.value)(value, { ...argumentsOf(use.args, scope, on), budget: on.budget });
}

function binaryOf(
  { operator: { value: operator }, left, right }: Extract<Expression, { type: 'BinaryExpression' }>,
  scope: Scope,
  on: Evaluation,
): Value {
  const first = evaluate(left, scope, on);
  if (operator === 'and') return isTrue(first) ? evaluate(right, scope, on) : first;
  if (operator === 'or') return isTrue(first) ? first : evaluate(right, scope, on);
  return operate(operator, first, evaluate(right, scope, on), on.budget);
}

/** The value of an expression. Throws what the template itself raises, and RenderLimitExceeded. */
export function evaluate(node: Expression, scope: Scope, on: Evaluation): Value {
  switch (node.type) {
    case 'Identifier':
      return scope.get(node.value);
    case 'IntegerLiteral':
    case 'StringLiteral':
      return node.value;
    case 'FloatLiteral':
      return floatOf(node.value);
    case 'ArrayLiteral':
      on.budget.list(node.value.length);
      return node.value.map((each) => evaluate(each, scope, on));
    case 'TupleLiteral':
      on.budget.list(node.value.length);
      return new Tuple(node.value.map((each) => evaluate(each, scope, on)));
    case 'ObjectLiteral':
      on.budget.list(node.value.size * 2);
      return new Map(
        Array.from(node.value, ([key, value]) => [evaluate(key, scope, on), evaluate(value, scope, on)] as const),
      );
    case 'CallExpression':
      return callOf(node, scope, on);
    case 'MemberExpression':
      return memberOf(node, scope, on);
    case 'UnaryExpression': {
      const value = evaluate(node.argument, scope, on);
      return node.operator.value === 'not' ? !isTrue(value) : signed(node.operator.value, value);
    }
    case 'BinaryExpression':
      return binaryOf(node, scope, on);
    case 'FilterExpression':
      return filtered(evaluate(node.operand, scope, on), node.filter, scope, on);
    case 'TestExpression':
      return testOf(node.test.value)(evaluate(node.operand, scope, on), undefined) !== node.negate;
    case 'SelectExpression':
      return isTrue(evaluate(node.test, scope, on)) ? evaluate(node.lhs, scope, on) : undefined;
    case 'Ternary':
      return evaluate(isTrue(evaluate(node.condition, scope, on)) ? node.trueExpr : node.falseExpr, scope, on);
  }
}
