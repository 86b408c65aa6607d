import { Budget, type RenderLimits } from './budget.ts';
import { type Evaluation, argumentsOf, callValue, evaluate, filtered } from './evaluate.ts';
import { globalsOf } from './globals.ts';
import { Scope } from './scope.ts';
import type {
  CallBlock,
  Expression,
  For,
  Identifier,
  MacroSyntax,
  Parameter,
  Program,
  SetSyntax,
  Statement,
  TupleSyntax,
} from './syntax.ts';
import {
  type Callable,
  Namespace,
  Tuple,
  type Value,
  equal,
  isTrue,
  itemsOf,
  textOf,
  toValue,
  typeName,
} from './values.ts';

/** What is written, piece by piece. */
class Output {
  text = '';
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(piece: string): void {
    this.text += piece;
    this.#budget.text(piece.length);
    this.#budget.joined(this.text.length);
  }
}

/** How a block ended: at its end, or by what ends or goes on with the loop around it. */
type End = 'through' | 'break' | 'continue';

class Renderer implements Evaluation {
  readonly budget: Budget;

  constructor(budget: Budget) {
    this.budget = budget;
  }

  block(statements: readonly Statement[], scope: Scope, out: Output): End {
    for (const statement of statements) {
      const end = this.#statement(statement, scope, out);
      if (end !== 'through') return end;
    }
    return 'through';
  }

  #statement(node: Statement, scope: Scope, out: Output): End {
    switch (node.type) {
      case 'Comment':
        break;
      case 'Break':
        return 'break';
      case 'Continue':
        return 'continue';
      case 'If':
        return this.block(isTrue(evaluate(node.test, scope, this)) ? node.body : node.alternate, scope, out);
      case 'For':
        this.#loop(node, scope, out);
        break;
      case 'Set':
        this.#set(node, scope);
        break;
      case 'Macro':
        scope.set(node.name.value, this.#macro(node, scope));
        break;
      case 'CallStatement':
        out.write(textOf(this.#callBlock(node, scope), this.budget));
        break;
      case 'FilterStatement':
        out.write(textOf(filtered(this.#captured(node.body, scope), node.filter, scope, this), this.budget));
        break;
      default:
        out.write(node.type === 'StringLiteral' ? node.value : textOf(evaluate(node, scope, this), this.budget));
    }
    return 'through';
  }

  /** What statements write, in a scope of their own. */
  #captured(statements: readonly Statement[], scope: Scope): string {
    const out = new Output(this.budget);
    this.block(statements, new Scope(scope), out);
    return out.text;
  }

  #assign(target: Expression, value: Value, scope: Scope): void {
    if (target.type === 'Identifier') scope.set(target.value, value);
    else if (target.type === 'TupleLiteral') {
      const items = itemsOf(value, this.budget);
      const { length } = target.value;
      if (items.length !== length)
        throw new Error(`${items.length < length ? 'not enough' : 'too many'} values to unpack (expected ${length})`);
      target.value.forEach((each, i) => this.#assign(each, items[i], scope));
    } else if (target.type === 'MemberExpression' && target.property.type === 'Identifier') {
      const object = evaluate(target.object, scope, this);
      if (!(object instanceof Namespace)) throw new Error('cannot assign attribute on non-namespace object');
      object.fields.set(target.property.value, value);
    } else throw new Error(`cannot assign to ${target.type}`);
  }

  #set({ assignee, value, body }: SetSyntax, scope: Scope): void {
    this.#assign(assignee, value ? evaluate(value, scope, this) : this.#captured(body, scope), scope);
  }

  #loop({ loopvar, iterable, body, defaultBlock }: For, scope: Scope, out: Output): void {
    // A condition after the list chooses what is gone through.
    const [source, condition] = iterable.type === 'SelectExpression' ? [iterable.lhs, iterable.test] : [iterable, null];
    const all = itemsOf(evaluate(source, scope, this), this.budget);
    const items = condition ? all.filter((item) => this.#fits(loopvar, item, condition, scope)) : [...all];
    this.budget.list(items.length, true);
    const seen: { values: readonly Value[] | null } = { values: null };
    for (const [index, item] of items.entries()) {
      const turn = new Scope(scope);
      this.#assign(loopvar, item, turn);
      turn.set('loop', loopOf(items, index, seen));
      if (this.block(body, turn, out) === 'break') break;
    }
    if (items.length === 0) this.block(defaultBlock, new Scope(scope), out);
  }

  #fits(loopvar: Identifier | TupleSyntax, item: Value, condition: Expression, scope: Scope): boolean {
    const tried = new Scope(scope);
    this.#assign(loopvar, item, tried);
    return isTrue(evaluate(condition, tried, this));
  }

  #macro({ args, body }: Pick<MacroSyntax, 'args' | 'body'>, scope: Scope): Callable {
    return (given, keywords) => {
      const inner = new Scope(scope);
      this.#bind(args, given, keywords, inner);
      return this.#captured(body, inner);
    };
  }

  #bind(
    parameters: readonly Parameter[],
    given: readonly Value[],
    keywords: ReadonlyMap<string, Value>,
    scope: Scope,
  ): void {
    const rest = new Map(keywords);
    const caller = rest.get('caller');
    rest.delete('caller');
    scope.set('caller', caller);
    for (const [i, parameter] of parameters.entries()) {
      const key = parameter.type === 'Identifier' ? parameter.value : parameter.key.value;
      const isGiven = i < given.length || rest.has(key);
      const value = i < given.length ? given[i] : rest.get(key);
      rest.delete(key);
      const otherwise = parameter.type === 'Identifier' ? undefined : evaluate(parameter.value, scope, this);
      scope.set(key, isGiven ? value : otherwise);
    }
    scope.set('varargs', new Tuple(given.slice(parameters.length)));
    scope.set('kwargs', new Map<Value, Value>(rest));
  }

  #callBlock({ call, callerArgs, body }: CallBlock, scope: Scope): Value {
    const called = evaluate(call.callee, scope, this);
    const { args, keywords } = argumentsOf(call.args, scope, this);
    const caller = this.#macro({ args: callerArgs ?? [], body }, scope);
    return callValue(called, args, new Map([...keywords, ['caller', caller]]), typeName(called));
  }
}

/** What `loop` tells within a loop. */
function loopOf(items: readonly Value[], index: number, seen: { values: readonly Value[] | null }): Namespace {
  const { length } = items;
  const changed: Callable = (values) => {
    const isSame = seen.values !== null && equal(new Tuple(seen.values), new Tuple(values));
    seen.values = values;
    return !isSame;
  };
  return new Namespace([
    ['index', index + 1],
    ['index0', index],
    ['revindex', length - index],
    ['revindex0', length - index - 1],
    ['first', index === 0],
    ['last', index === length - 1],
    ['length', length],
    ['previtem', items[index - 1]],
    ['nextitem', items[index + 1]],
    ['depth', 1],
    ['depth0', 0],
    ['cycle', (values) => values[index % values.length]],
    ['changed', changed],
  ]);
}

/** Renders a template within bounds. Throws RenderLimitExceeded, and what the template itself throws. */
export function renderProgram(
  program: Program,
  variables: Readonly<Record<string, unknown>>,
  limits: RenderLimits,
): string {
  const budget = new Budget(limits);
  const scope = new Scope(null);
  for (const [name, value] of Object.entries(globalsOf(budget))) scope.set(name, value);
  for (const [name, value] of Object.entries(variables)) scope.set(name, toValue(value));
  const out = new Output(budget);
  new Renderer(budget).block(program.body, new Scope(scope), out);
  return out.text;
}
