export { type ServedTools, type ChosenTools, type ToolDeps, openTools } from './open.ts';
export type { ReadDocument } from './built-in/parse-document.ts';
export type { Tool, ToolResult } from './tool.ts';
export { createServedTools } from './servers/served.ts';
export { type ToolServers, createToolServers } from './servers/tool-servers.ts';
