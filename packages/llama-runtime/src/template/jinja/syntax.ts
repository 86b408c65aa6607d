// What the parser of @huggingface/jinja makes of a template. Its own declarations name files without their ending, which this
// module resolution does not follow.

export interface Operator {
  readonly value: string;
}

export interface Identifier {
  readonly type: 'Identifier';
  readonly value: string;
}

export interface KeywordArgument {
  readonly type: 'KeywordArgumentExpression';
  readonly key: Identifier;
  readonly value: Expression;
}

/** A parameter of a macro: a name, or a name with what it is where it is not given. */
export type Parameter = Identifier | KeywordArgument;

export type Argument =
  | Expression
  | KeywordArgument
  | { readonly type: 'SpreadExpression'; readonly argument: Expression }
  | { readonly type: 'KeywordSpreadExpression'; readonly argument: Expression };

export interface Call {
  readonly type: 'CallExpression';
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

export interface Slice {
  readonly type: 'SliceExpression';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

export interface Member {
  readonly type: 'MemberExpression';
  readonly object: Expression;
  readonly property: Expression | Slice;
  readonly computed: boolean;
}

export interface TupleSyntax {
  readonly type: 'TupleLiteral';
  readonly value: readonly Expression[];
}

/** The name of a filter, or the name with arguments. */
export type FilterUse = Identifier | Call;

export type Expression =
  | Identifier
  | Call
  | Member
  | TupleSyntax
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'ArrayLiteral'; readonly value: readonly Expression[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Expression, Expression> }
  | {
      readonly type: 'BinaryExpression';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'FilterExpression'; readonly operand: Expression; readonly filter: FilterUse }
  | { readonly type: 'SelectExpression'; readonly lhs: Expression; readonly test: Expression }
  | {
      readonly type: 'TestExpression';
      readonly operand: Expression;
      readonly negate: boolean;
      readonly test: Identifier;
    }
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Expression }
  | {
      readonly type: 'Ternary';
      readonly condition: Expression;
      readonly trueExpr: Expression;
      readonly falseExpr: Expression;
    };

export interface For {
  readonly type: 'For';
  readonly loopvar: Identifier | TupleSyntax;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
  readonly defaultBlock: readonly Statement[];
}

export interface MacroSyntax {
  readonly type: 'Macro';
  readonly name: Identifier;
  readonly args: readonly Parameter[];
  readonly body: readonly Statement[];
}

export interface CallBlock {
  readonly type: 'CallStatement';
  readonly call: Call;
  readonly callerArgs: readonly Parameter[] | null;
  readonly body: readonly Statement[];
}

export interface SetSyntax {
  readonly type: 'Set';
  readonly assignee: Expression;
  readonly value: Expression | null;
  readonly body: readonly Statement[];
}

export type Statement =
  | Expression
  | For
  | MacroSyntax
  | CallBlock
  | SetSyntax
  | {
      readonly type: 'If';
      readonly test: Expression;
      readonly body: readonly Statement[];
      readonly alternate: readonly Statement[];
    }
  | { readonly type: 'FilterStatement'; readonly filter: FilterUse; readonly body: readonly Statement[] }
  | { readonly type: 'Break' | 'Continue' | 'Comment' };

export interface Program {
  readonly body: readonly Statement[];
}
