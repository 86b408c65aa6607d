export { callChecked, type ServedTools, type ChosenTools, type ToolDeps, openTools } from './open.ts';
export type { UncheckedTool } from './built-in/built-in.ts';
export { passageText, shortPassageOf } from './built-in/search-collection.ts';
export { checkAnswer } from './arguments.ts';
export { plainName, uniqueNames } from './names.ts';
export { listConnectedServers } from './servers/rows.ts';
export type { ReadDocument } from './built-in/parse-document.ts';
export {
  failedCall,
  type Tool,
  type ToolCallOptions,
  type ToolFile,
  type ToolParameters,
  type ToolResult,
  truncateText,
} from './tool.ts';
export { createServedTools } from './servers/served.ts';
export { type ToolServers, createToolServers } from './servers/tool-servers.ts';
