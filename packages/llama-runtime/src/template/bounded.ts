import type { Template } from '@huggingface/jinja';
import type { RenderLimits } from './jinja/budget.ts';
import { renderProgram } from './jinja/render.ts';
import type { Program } from './jinja/syntax.ts';

export { RENDER_LIMITS, RenderLimitExceeded } from './jinja/budget.ts';

/** Renders a template. Throws RenderLimitExceeded, and what the template itself throws. */
export const renderBounded = (
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  bounds: RenderLimits,
): string => renderProgram((template as { readonly parsed: unknown }).parsed as Program, variables, bounds);
