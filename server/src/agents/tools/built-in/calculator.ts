import { CalculationError, calculate } from '../calculator/calculate.ts';
import { failedCall, succeeded } from '../tool.ts';
import { type UncheckedTool, parameters } from './built-in.ts';

/** Calculates without rounding. Gives `{expression, value, exact}`. */
export const calculator: UncheckedTool = {
  name: 'calculator',
  description:
    'Calculates an expression exactly, such as (1200 * 3 - 150) * 1.1 or round(10 / 3, 2). Operators: + - * / % ^ and brackets. Functions: abs, floor, ceil, round, sqrt, ln, log10, exp, sin, cos, tan, mod, pow, min, max, sum, avg. Write numbers without thousands separators and units.',
  parameters: parameters({ expression: { type: 'string', minLength: 1, description: 'Such as 0.1 + 0.2' } }, [
    'expression',
  ]),
  run({ expression }) {
    const asked = String(expression);
    try {
      const { text: value, exact } = calculate(asked);
      return succeeded(value, { expression: asked, value, exact });
    } catch (error) {
      if (error instanceof CalculationError) return failedCall(`The expression cannot be calculated: ${error.message}`);
      throw error;
    }
  },
};
