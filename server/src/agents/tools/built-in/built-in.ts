import type { Tool, ToolParameters, ToolResult, ToolCallOptions } from '../tool.ts';

/** What of a built-in tool a model is told. */
export type BuiltInHead = Pick<Tool, 'name' | 'description' | 'parameters'>;

/** A tool whose arguments have been checked. Its call may reject with StudioError, which is told in the result. */
export interface UncheckedTool extends BuiltInHead {
  readonly run: (args: Readonly<Record<string, unknown>>, options: ToolCallOptions) => Promise<ToolResult> | ToolResult;
}

/** Schema of an object with these properties and no others. */
export const parameters = (
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): ToolParameters => ({ type: 'object', properties, required, additionalProperties: false });
