export type { McpCaller, McpScope } from './caller.ts';
export { openCancellations } from './cancellations.ts';
export { createMcp, type Mcp } from './mcp.ts';
export { messageId, readMessage } from './message.ts';
