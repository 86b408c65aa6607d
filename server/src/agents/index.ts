export { type CardAddresses, cardTag, renderCard } from './a2a/cards.ts';
export { type A2aTag, idRequired, openEnvelope, type Opened } from './a2a/envelope.ts';
export { openHttpJson } from './a2a/http-json.ts';
export { A2aError, describeError } from './a2a/errors.ts';
export { createEventLines } from './a2a/event-lines.ts';
export { createFetchFile } from './a2a/fetch-file.ts';
export { followTask } from './a2a/follow.ts';
export { type A2aDoor, type A2aForm, type A2aVerb, type A2aWire, formOfVersion } from './a2a/form.ts';
export { parseStreamPosition } from './a2a/stream-position.ts';
export { publicAgent } from './a2a/public-agent.ts';
export { createPushConfigs } from './a2a/push/configs.ts';
export { startDelivery } from './a2a/push/deliver.ts';
export { createSigner } from './a2a/push/sign.ts';
export { readCall } from './a2a/read-calls.ts';
export { type A2a, type A2aOutcome, createA2a } from './a2a/service.ts';
export { type AgentChats, createAgentChats, type OpenedChat } from './chats/chats.ts';
export { AGENT_MODEL } from './chats/read-chat.ts';
export { AgentRunFailure } from './chats/running-chat.ts';
export { archiveAgent, deleteAgent, unarchiveAgent } from './lifecycle/archive.ts';
export { createAgent, templateDefinition } from './lifecycle/create.ts';
export { deployAgent, undeployAgent } from './lifecycle/deploy.ts';
export type { LifecycleDeps } from './lifecycle/deps.ts';
export { checkAgent, readAgent } from './lifecycle/details.ts';
export { changeAgent, restoreDraft } from './lifecycle/draft.ts';
export { listAgents } from './lifecycle/heads.ts';
export { agentOptions } from './lifecycle/resources.ts';
export { resolveNames } from './lifecycle/names.ts';
export { approveAgent, rejectAgent, submitAgent, withdrawAgent } from './lifecycle/review.ts';
export { readNotes } from './lifecycle/notes.ts';
export { listReviews } from './lifecycle/reviews.ts';
export { compareVersions, exportAgent, readAgentHistory, listVersions, readVersion } from './lifecycle/versions.ts';
export { type Deployed, deployedBySlug, listDeployed, type Runnable, findRunnable } from './lifecycle/runnable.ts';
export { type AgentFileStore, createFileStore } from './files.ts';
export { createNodes } from './nodes/index.ts';
export { continuationMessages } from './nodes/model/messages.ts';
export { ReplayFilter } from './nodes/model/replay-filter.ts';
export { createMask } from './nodes/mask.ts';
export { createReadDocument } from './read-document.ts';
export { createRunFiles, type RunFileStore } from './run-files.ts';
export { createRunActor } from './run-actor.ts';
export { typeByName } from './media-types.ts';
export { requeueRuns } from './runs/claims.ts';
export { createFailureOf } from './runs/failure.ts';
export type { RunFigures } from './runs/figures.ts';
export { MAX_FILES_BYTES } from './runs/answer-parts.ts';
export { createTraceRedaction } from './runs/trace-redaction.ts';
export { createRuns } from './runs/runs.ts';
export type { AgentRuns } from './runs/types.ts';
export { startAgentRetention } from './runs/retention.ts';
export { changeChat, listChats } from './sessions/chats.ts';
export { deleteSession } from './sessions/delete.ts';
export { exportSession } from './sessions/export.ts';
export { addRunQuestion, rateRun, readFeedback, removeRunQuestion, unrateRun } from './sessions/feedback.ts';
export { requireFiles } from './sessions/files.ts';
export { findOwnRun, readAgentRun, readCitation, readTrace } from './sessions/runs.ts';
export {
  callChecked,
  createServedTools,
  createToolServers,
  failedCall,
  listConnectedServers,
  openTools,
  passageText,
  type ServedTools,
  shortPassageOf,
  type ToolCallOptions,
  type ToolDeps,
  type ToolParameters,
  type ToolResult,
  type ToolServers,
  truncateText,
  type UncheckedTool,
  uniqueNames,
} from './tools/index.ts';
export { listSessions, readAgentSession, requireOwnSession, sessionNumber } from './sessions/sessions.ts';
export { type StartedTurn, startTurn } from './sessions/turn.ts';
export { agentUsage } from './sessions/usage.ts';
export type { SessionScope } from './sessions/session-scope.ts';
